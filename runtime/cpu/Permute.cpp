// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "program/Error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Permute.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Simd-inl.h"

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

/// Rows [first, last) of y: row numbers[i · step + j] / repeat of x for each
/// j < terms, times its weight, added up in this order; nothing is added for a
/// negative number. Weights are of rows of x (`ofSource`) or of numbers.
void sumRows(const Matrix &x, const int32_t *numbers, int64_t terms,
             int64_t repeat, const float *weights, bool ofSource,
             const Matrix &y, int64_t first, int64_t last) {
  HWY_ALIGN float sum[permutePiece];
  for (int64_t i = first; i < last; ++i)
    for (int64_t j = 0; j < y.cols; j += permutePiece) {
      const int64_t cols = HWY_MIN(permutePiece, y.cols - j);
      std::memset(sum, 0, sizeof(sum));
      for (int64_t term = i * terms; term < (i + 1) * terms; ++term) {
        const int64_t number = numbers[term];
        if (number < 0)
          continue;
        const VecF32 weight =
            hn::Set(F32(), weights ? weights[ofSource ? number : term] : 1.0f);
        withFloat(x.dtype, x.address(number / repeat, j),
                  [&](auto *values) HWY_ATTR {
                    forVectors(cols, [&](int64_t k, int64_t count) HWY_ATTR {
                      storeF32(hn::MulAdd(loadF32(values + k, count), weight,
                                          loadF32(sum + k)),
                               sum + k);
                    });
                  });
      }
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
HWY_EXPORT(sumRows);
HWY_EXPORT(multiplyRows);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Requires numbers below `limit`, and not negative ones if `complete`.
static void checkNumbers(const tert_tensor &numbers, int64_t limit,
                         const char *name, bool complete) {
  const auto *values = static_cast<const int32_t *>(numbers.data);
  for (int64_t i = 0, e = sizeOf(numbers, 0); i < e; ++i)
    if (values[i] >= limit || (complete && values[i] < 0))
      throw Error(TERT_INVALID_DATA,
                  std::string(name) + " " + std::to_string(values[i]) + " at " +
                      std::to_string(i) + " is outside of [0, " +
                      std::to_string(limit) + ")");
}

static void sumAllRows(Execution &execution, const tert_tensor &x,
                       const tert_tensor &numbers, int64_t terms,
                       int64_t repeat, const tert_tensor *weights,
                       bool ofSource, const tert_tensor &y) {
  const Matrix from(x), to(y);
  RowTasks tasks(to.rows, to.cols * terms);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    const int64_t first = tasks.first(task);
    HWY_DYNAMIC_DISPATCH(sumRows)
    (from, static_cast<const int32_t *>(numbers.data), terms, repeat,
     weights ? static_cast<const float *>(weights->data) : nullptr, ofSource,
     to, first, first + tasks.size(task));
  });
}

void cpu::permute(Execution &execution, const tert_tensor &x,
                  const tert_tensor &source, const tert_tensor *weights,
                  const tert_tensor &y, int64_t repeat) {
  checkNumbers(source, sizeOf(x, 0) * repeat, "source",
               /*complete=*/false);
  sumAllRows(execution, x, source, /*terms=*/1, repeat, weights,
             /*ofSource=*/true, y);
}

void cpu::unpermute(Execution &execution, const tert_tensor &x,
                    const tert_tensor &slot, const tert_tensor *weights,
                    const tert_tensor &y, int64_t repeat) {
  checkNumbers(slot, sizeOf(x, 0), "slot", /*complete=*/true);
  sumAllRows(execution, x, slot, /*terms=*/repeat, /*repeat=*/1, weights,
             /*ofSource=*/false, y);
}

void cpu::permuteWeightsGrad(Execution &execution, const tert_tensor &permuted,
                             const tert_tensor &slot, const tert_tensor &tokens,
                             const tert_tensor &dweights, int64_t repeat) {
  checkNumbers(slot, sizeOf(permuted, 0), "slot", /*complete=*/true);
  const Matrix places(permuted), rows(tokens);
  const auto *slots = static_cast<const int32_t *>(slot.data);
  auto *results = static_cast<float *>(dweights.data);
  RowTasks tasks(sizeOf(dweights, 0), places.cols);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    for (int64_t i = 0; i < tasks.size(task); ++i) {
      const int64_t row = tasks.first(task) + i;
      results[row] = float(HWY_DYNAMIC_DISPATCH(multiplyRows)(
          places, slots[row], rows, row / repeat));
    }
  });
}

#endif // HWY_ONCE
