// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"

#include <cmath>
#include <limits>

// Shared by all instruction sets, so seen once.
#ifndef TERT_CPU_OPTIMIZER_SHARED
#define TERT_CPU_OPTIMIZER_SHARED
namespace tert::cpu {

/// What one AdamW step multiplies with, the same for every element.
struct AdamwFactors {
  float coefficient; // of the gradient
  float beta1, oneMinusBeta1;
  float beta2, oneMinusBeta2;
  float decay;             // 1 - lr * weight_decay, or 1
  float stepSize;          // lr / (1 - beta1^step)
  float inverseCorrection; // 1 / sqrt(1 - beta2^step)
  float eps;
};

/// The four tensors of a step, as matrices of one shape.
struct AdamwTensors {
  Matrix gradient, param, expAvg, expAvgSq;
};

} // namespace tert::cpu
#endif // TERT_CPU_OPTIMIZER_SHARED

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Optimizer.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Quantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// One step on n consecutive elements.
template <typename T>
HWY_INLINE void stepRow(const AdamwFactors &factors, const T *gradient,
                        float *param, float *expAvg, float *expAvgSq,
                        int64_t n) {
  F32 d;
  auto coefficient = hn::Set(d, factors.coefficient);
  auto beta1 = hn::Set(d, factors.beta1);
  auto oneMinusBeta1 = hn::Set(d, factors.oneMinusBeta1);
  auto beta2 = hn::Set(d, factors.beta2);
  auto oneMinusBeta2 = hn::Set(d, factors.oneMinusBeta2);
  auto decay = hn::Set(d, factors.decay);
  auto stepSize = hn::Set(d, factors.stepSize);
  auto inverseCorrection = hn::Set(d, factors.inverseCorrection);
  auto eps = hn::Set(d, factors.eps);
  forVectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    VecF32 g = hn::Mul(loadF32(gradient + i, count), coefficient);
    VecF32 m = hn::MulAdd(oneMinusBeta1, g,
                          hn::Mul(beta1, loadF32(expAvg + i, count)));
    VecF32 v = hn::MulAdd(oneMinusBeta2, hn::Mul(g, g),
                          hn::Mul(beta2, loadF32(expAvgSq + i, count)));
    VecF32 root = hn::MulAdd(hn::Sqrt(v), inverseCorrection, eps);
    VecF32 p = hn::Mul(decay, loadF32(param + i, count));
    p = hn::NegMulAdd(stepSize, hn::Div(m, root), p);
    storeF32(m, expAvg + i, count);
    storeF32(v, expAvgSq + i, count);
    storeF32(p, param + i, count);
  });
}

/// One step on rows [row, row + rows) and columns [col, col + cols).
void stepBlock(const AdamwTensors &x, const AdamwFactors &factors, int64_t row,
               int64_t rows, int64_t col, int64_t cols) {
  for (int64_t i = row; i < row + rows; ++i)
    withFloat(x.gradient.dtype, x.gradient.address(i, col),
              [&](auto *gradient) HWY_ATTR {
                stepRow(factors, gradient, x.param.row<float>(i) + col,
                        x.expAvg.row<float>(i) + col,
                        x.expAvgSq.row<float>(i) + col, cols);
              });
}

/// Quantizes a block of the new parameter, right after its step.
void quantizeBlock(const Matrix &param, QuantizedOutputs &outputs, int64_t row,
                   int64_t rows, int64_t col, int64_t cols) {
  quantizeTile(outputs, param.row<float>(row) + col, param.stride, row, col,
               rows, cols);
}

/// Sum of squares of rows [row, row + rows), in f64.
double sumOfSquares(const Matrix &x, int64_t row, int64_t rows) {
  hn::ScalableTag<double> d64;
  hn::Rebind<float, decltype(d64)> half;
  int64_t lanes = static_cast<int64_t>(hn::Lanes(d64));
  auto sum0 = hn::Zero(d64), sum1 = hn::Zero(d64);
  // Rows go through f32 in pieces, padded with zeros, which add nothing.
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
HWY_EXPORT(stepBlock);
HWY_EXPORT(quantizeBlock);
HWY_EXPORT(sumOfSquares);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::globalNorm(Execution &execution, int32_t n,
                     const tert_tensor *gradients, const tert_tensor &norm) {
  // All tensors in one loop: most of them are too small for one of their own.
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

void cpu::clipCoefficient(Execution &, const tert_tensor &norm,
                          const tert_tensor &maxNorm,
                          const tert_tensor &coefficient) {
  float total = scalarOf(norm), limit = scalarOf(maxNorm);
  float &result = scalarOf(coefficient);
  if (!std::isfinite(total))
    result = std::numeric_limits<float>::quiet_NaN();
  else
    result = limit > 0 ? std::min(1.0f, limit / (total + 1e-6f)) : 1.0f;
}

void cpu::advanceStep(Execution &, const tert_tensor &coefficient,
                      const tert_tensor &step) {
  if (!std::isnan(scalarOf(coefficient)))
    ++scalarOf<int64_t>(step);
}

void cpu::adamw(Execution &execution, const AdamwScalars &scalars,
                const AdamwParameter &parameter) {
  bool skip = std::isnan(scalarOf(scalars.coefficient));
  // Factors in f64, each rounded once.
  double rate = scalarOf(scalars.lr);
  double b1 = scalarOf(scalars.beta1), b2 = scalarOf(scalars.beta2);
  double t = static_cast<double>(scalarOf<int64_t>(scalars.step));
  AdamwFactors factors = {
      scalarOf(scalars.coefficient),
      scalarOf(scalars.beta1),
      static_cast<float>(1 - b1),
      scalarOf(scalars.beta2),
      static_cast<float>(1 - b2),
      parameter.decay
          ? static_cast<float>(1 - rate * scalarOf(scalars.weightDecay))
          : 1.0f,
      static_cast<float>(rate / (1 - std::pow(b1, t))),
      static_cast<float>(1 / std::sqrt(1 - std::pow(b2, t))),
      scalarOf(scalars.eps)};
  auto stepOn = HWY_DYNAMIC_DISPATCH(stepBlock);

  if (!wantsAny(parameter.quantized)) {
    if (skip)
      return;
    forEachMatrix(
        [&](const Matrix &g, const Matrix &p, const Matrix &m,
            const Matrix &v) {
          AdamwTensors tensors = {g, p, m, v};
          RowTasks tasks(p.rows, p.cols);
          execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
            stepOn(tensors, factors, tasks.first(task), tasks.size(task), 0,
                   p.cols);
          });
        },
        *parameter.gradient, *parameter.param, *parameter.expAvg,
        *parameter.expAvgSq);
    return;
  }

  AdamwTensors tensors = {Matrix(*parameter.gradient), Matrix(*parameter.param),
                          Matrix(*parameter.expAvg),
                          Matrix(*parameter.expAvgSq)};
  const Matrix &p = tensors.param;
  QuantizedOutputs outputs(p.rows, p.cols, parameter.quantized);
  auto quantizeOne = HWY_DYNAMIC_DISPATCH(quantizeBlock);
  int64_t tilesPerRow = ceilDiv(p.cols, quantizeTileCols);
  execution.pool.parallelFor(
      ceilDiv(p.rows, quantizeTileRows) * tilesPerRow, [&](int64_t task, int) {
        int64_t row = task / tilesPerRow * quantizeTileRows;
        int64_t col = task % tilesPerRow * quantizeTileCols;
        int64_t rows = std::min(quantizeTileRows, p.rows - row);
        int64_t cols = std::min(quantizeTileCols, p.cols - col);
        if (!skip)
          stepOn(tensors, factors, row, rows, col, cols);
        quantizeOne(p, outputs, row, rows, col, cols);
      });
  outputs.finish();
}

#endif // HWY_ONCE
