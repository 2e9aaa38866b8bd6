// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Optimizer.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Quantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Sum of squares of rows [row, row + rows), in f64.
double sumOfSquares(const Matrix &x, int64_t row, int64_t rows) {
  hn::ScalableTag<double> d64;
  hn::Rebind<float, decltype(d64)> half;
  int64_t lanes = static_cast<int64_t>(hn::Lanes(d64));
  auto sum0 = hn::Zero(d64), sum1 = hn::Zero(d64);
  // Rows are converted to f32 in pieces, padded with zeros, which add nothing.
  constexpr int64_t piece = 256;
  HWY_ALIGN float buffer[piece + HWY_MAX_BYTES];
  for (int64_t i = row; i < row + rows; ++i)
    for (int64_t j = 0; j < x.cols; j += piece) {
      int64_t n = HWY_MIN(piece, x.cols - j);
      readRow(x.dtype, x.address(i, j), buffer, n);
      for (int64_t k = n; k % (2 * lanes) != 0; ++k)
        buffer[k] = 0;
      for (int64_t k = 0; k < n; k += 2 * lanes) {
        auto v0 = hn::PromoteTo(d64, hn::LoadU(half, buffer + k));
        auto v1 = hn::PromoteTo(d64, hn::LoadU(half, buffer + k + lanes));
        sum0 = hn::MulAdd(v0, v0, sum0);
        sum1 = hn::MulAdd(v1, v1, sum1);
      }
    }
  return hn::GetLane(hn::SumOfLanes(d64, hn::Add(sum0, sum1)));
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(sumOfSquares);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::globalNorm(Execution &execution, int32_t n,
                     const tert_tensor *gradients, const tert_tensor &norm) {
  // One loop over all tensors: most are too small for a loop of their own.
  struct Piece {
    Matrix matrix;
    int64_t row, rows;
  };
  auto forEachPiece = [&](const auto &fn) {
    for (int32_t i = 0; i < n; ++i)
      forEachMatrix(
          [&](const Matrix &matrix) {
            RowTasks tasks(matrix.rows, matrix.cols);
            for (int64_t task = 0; task < tasks.count; ++task)
              fn(Piece{matrix, tasks.first(task), tasks.size(task)});
          },
          gradients[i]);
  };
  int64_t count = 0;
  forEachPiece([&](const Piece &) { ++count; });

  Scratch::Frame frame(execution.scratch);
  Piece *pieces = frame.take<Piece>(count);
  double *sums = frame.take<double>(count);
  Piece *next = pieces;
  forEachPiece([&](const Piece &piece) { new (next++) Piece(piece); });
  auto sumOf = HWY_DYNAMIC_DISPATCH(sumOfSquares);
  execution.pool.parallelFor(count, [&](int64_t task, int) {
    const Piece &piece = pieces[task];
    sums[task] = sumOf(piece.matrix, piece.row, piece.rows);
  });
  double total = 0;
  for (int64_t i = 0; i < count; ++i)
    total += sums[i];
  scalarOf(norm) = static_cast<float>(std::sqrt(total));
}

void cpu::sumOfSquares(Execution &execution, int32_t n,
                       const tert_tensor *tensors, double *sum) {
  // Counts elements, whatever their shape: a gradient's shards differ in shape.
  constexpr int64_t perTask = 1 << 14;
  std::vector<Matrix> tasks;
  for (int32_t i = 0; i < n; ++i) {
    const tert_dtype dtype = dtypeOf(tensors[i]);
    const int64_t count = numElements(tensors[i]);
    for (int64_t first = 0; first < count; first += perTask) {
      const int64_t cols = std::min(perTask, count - first);
      char *data = static_cast<char *>(tensors[i].data);
      tasks.emplace_back(data + first * bytesOf(dtype), dtype, 1, cols, cols);
    }
  }
  std::vector<double> sums(tasks.size());
  auto sumOf = HWY_DYNAMIC_DISPATCH(sumOfSquares);
  execution.pool.parallelFor(int64_t(tasks.size()), [&](int64_t task, int) {
    sums[task] = sumOf(tasks[task], 0, 1);
  });
  *sum = 0;
  for (double part : sums)
    *sum += part;
}

void cpu::clipCoefficient(Execution &, const tert_tensor &norm,
                          const tert_tensor &maxNorm, int32_t numAmaxes,
                          const tert_tensor *amaxes,
                          const tert_tensor &coefficient) {
  float total = scalarOf(norm), limit = scalarOf(maxNorm);
  float &result = scalarOf(coefficient);
  bool finite =
      std::isfinite(total) &&
      std::all_of(amaxes, amaxes + numAmaxes, [](const tert_tensor &amax) {
        return std::isfinite(scalarOf(amax));
      });
  if (!finite)
    result = std::numeric_limits<float>::quiet_NaN();
  else
    result = limit > 0 ? std::min(1.0f, limit / (total + 1e-6f)) : 1.0f;
}

void cpu::advanceStep(Execution &, const tert_tensor &coefficient,
                      const tert_tensor &step) {
  if (!std::isnan(scalarOf(coefficient)))
    ++scalarOf<int64_t>(step);
}

#endif // HWY_ONCE
