// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/ResultTasks.h"
#include "program/Error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Permute.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Quantize-inl.h"

#include <cstdint>
#include <optional>
#include <string>

#ifndef TERT_CPU_PERMUTE_PIECE
#define TERT_CPU_PERMUTE_PIECE
namespace tert::cpu {
/// Columns that are converted or summed at a time.
constexpr int64_t permutePiece = 256;
} // namespace tert::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Columns [col, col + cols), at most taskCols, of one row of x, times a
/// weight, which are added to `sum`.
HWY_INLINE void addRow(const Matrix &x, int64_t row, int64_t col, int64_t cols,
                       float weight, float *sum) {
  const VecF32 factor = hn::Set(F32(), weight);
  withFloat(x.dtype, x.address(row, col), [&](auto *values) HWY_ATTR {
    forVectors(cols, [&](int64_t k, int64_t count) HWY_ATTR {
      storeF32(hn::MulAdd(loadF32(values + k, count), factor, loadF32(sum + k)),
               sum + k);
    });
  });
}

/// `results` is a buffer of resultSize floats.
void permuteTask(const ResultTask &task, const Matrix &x, const int32_t *source,
                 int64_t repeat, const float *weights, const Matrix *y,
                 QuantizedOutputs &outputs, float *results) {
  for (int64_t i = 0; i < task.rows; ++i) {
    const int64_t place = task.row + i, row = source[place];
    float *result = results + i * resultStride;
    std::memset(result, 0, task.cols * sizeof(float));
    if (row >= 0)
      addRow(x, row / repeat, task.col, task.cols,
             weights ? weights[row] : 1.0f, result);
    if (y)
      writeRow(y->dtype, result, y->address(place, task.col), task.cols);
  }
  if (outputs.any())
    quantizeTile(outputs, results, resultStride, task.row, task.col, task.rows,
                 task.cols);
}

/// Rows [first, last) of y, each a sum of `repeat` rows of x in their order.
void sumRows(const Matrix &x, const int32_t *slot, int64_t repeat,
             const float *weights, const Matrix &y, int64_t first,
             int64_t last) {
  HWY_ALIGN float sum[permutePiece];
  for (int64_t i = first; i < last; ++i)
    for (int64_t j = 0; j < y.cols; j += permutePiece) {
      const int64_t cols = HWY_MIN(permutePiece, y.cols - j);
      std::memset(sum, 0, sizeof(sum));
      for (int64_t row = i * repeat; row < (i + 1) * repeat; ++row)
        if (slot[row] >= 0)
          addRow(x, slot[row], j, cols, weights ? weights[row] : 1.0f, sum);
      writeRow(y.dtype, sum, y.address(i, j), cols);
    }
}

/// The product of two rows, in float64.
double multiplyRows(const Matrix &a, int64_t i, const Matrix &b, int64_t j) {
  double total = 0;
  withFloat(a.dtype, a.address(i), [&](auto *left) HWY_ATTR {
    withFloat(b.dtype, b.address(j), [&](auto *right) HWY_ATTR {
      for (int64_t at = 0; at < a.cols; at += permutePiece) {
        VecF32 sum = hn::Zero(F32());
        forVectors(HWY_MIN(permutePiece, a.cols - at),
                   [&](int64_t k, int64_t count) HWY_ATTR {
                     sum = hn::MulAdd(loadF32(left + at + k, count),
                                      loadF32(right + at + k, count), sum);
                   });
        total += hn::GetLane(hn::SumOfLanes(F32(), sum));
      }
    });
  });
  return total;
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(permuteTask);
HWY_EXPORT(sumRows);
HWY_EXPORT(multiplyRows);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Requires numbers in [first, limit), of which negative ones are none.
static void checkNumbers(const tert_tensor &numbers, int64_t first,
                         int64_t limit, const char *name) {
  const auto *values = static_cast<const int32_t *>(numbers.data);
  for (int64_t i = 0, e = sizeOf(numbers, 0); i < e; ++i)
    if (values[i] < first || values[i] >= limit)
      throw Error(TERT_INVALID_DATA,
                  std::string(name) + " " + std::to_string(values[i]) + " at " +
                      std::to_string(i) + " is outside of [0, " +
                      std::to_string(limit) + ")");
}

static const float *dataOf(const tert_tensor *weights) {
  return weights ? static_cast<const float *>(weights->data) : nullptr;
}

void cpu::permute(Execution &execution, const tert_tensor &x,
                  const tert_tensor &source, const tert_tensor *weights,
                  const tert_tensor *y, const tert_quantized &quantized,
                  int64_t repeat) {
  checkNumbers(source, INT32_MIN, sizeOf(x, 0) * repeat, "source");
  const Matrix from(x);
  const std::optional<Matrix> to = optionalMatrix(y);
  QuantizedOutputs outputs(sizeOf(source, 0), from.cols, quantized);
  const ResultTasks tasks{sizeOf(source, 0), from.cols};
  Scratch::Frame frame(execution.scratch);
  float *results =
      frame.take<float>(execution.pool.getNumThreads() * resultSize);
  execution.pool.parallelFor(tasks.count(), [&](int64_t task, int worker) {
    HWY_DYNAMIC_DISPATCH(permuteTask)
    (tasks[task], from, static_cast<const int32_t *>(source.data), repeat,
     dataOf(weights), to ? &*to : nullptr, outputs,
     results + worker * resultSize);
  });
  outputs.finish();
}

void cpu::takeRows(Execution &execution, const tert_tensor &x,
                   const tert_tensor &source, const tert_tensor &y) {
  const Matrix from(x), to(y);
  checkNumbers(source, INT32_MIN, from.rows, "source");
  const auto *rows = static_cast<const int32_t *>(source.data);
  const auto bytes = static_cast<size_t>(to.cols);
  RowTasks tasks(to.rows, to.cols);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    for (int64_t i = 0; i < tasks.size(task); ++i) {
      const int64_t place = tasks.first(task) + i;
      if (rows[place] < 0)
        std::memset(to.address(place), 0, bytes);
      else
        std::memcpy(to.address(place), from.address(rows[place]), bytes);
    }
  });
}

void cpu::unpermute(Execution &execution, const tert_tensor &x,
                    const tert_tensor &slot, const tert_tensor *weights,
                    const tert_tensor &y, int64_t repeat) {
  checkNumbers(slot, -1, sizeOf(x, 0), "slot");
  const Matrix from(x), to(y);
  RowTasks tasks(to.rows, to.cols * repeat);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    const int64_t first = tasks.first(task);
    HWY_DYNAMIC_DISPATCH(sumRows)
    (from, static_cast<const int32_t *>(slot.data), repeat, dataOf(weights), to,
     first, first + tasks.size(task));
  });
}

void cpu::permuteWeightsGrad(Execution &execution, const tert_tensor &permuted,
                             const tert_tensor &slot, const tert_tensor &tokens,
                             const tert_tensor &dweights, int64_t repeat) {
  checkNumbers(slot, -1, sizeOf(permuted, 0), "slot");
  const Matrix places(permuted), rows(tokens);
  const auto *slots = static_cast<const int32_t *>(slot.data);
  auto *results = static_cast<float *>(dweights.data);
  RowTasks tasks(sizeOf(dweights, 0), places.cols);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    for (int64_t i = 0; i < tasks.size(task); ++i) {
      const int64_t row = tasks.first(task) + i;
      results[row] = slots[row] < 0
                         ? 0.0f
                         : float(HWY_DYNAMIC_DISPATCH(multiplyRows)(
                               places, slots[row], rows, row / repeat));
    }
  });
}

#endif // HWY_ONCE
