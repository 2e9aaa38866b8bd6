// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/SquaredError.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Sum of (x - target)^2 over rows [first, last).
double squaredErrorRows(const Matrix &x, const Matrix &target, int64_t first,
                        int64_t last) {
  // Partial sums are added in f64: there may be too many elements for one f32
  // sum.
  constexpr int64_t piece = 1024;
  double total = 0.0;
  for (int64_t i = first; i < last; ++i)
    withFloat(x.dtype, x.address(i), [&](auto *values) HWY_ATTR {
      withFloat(target.dtype, target.address(i), [&](auto *targets) HWY_ATTR {
        for (int64_t at = 0; at < x.cols; at += piece) {
          VecF32 sum = hn::Zero(F32());
          forVectors(std::min(piece, x.cols - at), [&](int64_t j,
                                                       int64_t count) HWY_ATTR {
            VecF32 difference = hn::Sub(loadF32(values + at + j, count),
                                        loadF32(targets + at + j, count));
            sum = hn::MulAdd(difference, difference, sum);
          });
          total += hn::GetLane(hn::SumOfLanes(F32(), sum));
        }
      });
    });
  return total;
}

/// Rows [first, last) of dx = factor * (x - target). Each element is read
/// before it is written, so dx may be x.
void squaredErrorGradRows(const Matrix &x, const Matrix &target, float factor,
                          const Matrix &dx, int64_t first, int64_t last) {
  const VecF32 scale = hn::Set(F32(), factor);
  for (int64_t i = first; i < last; ++i)
    withFloat(x.dtype, x.address(i), [&](auto *values) HWY_ATTR {
      withFloat(target.dtype, target.address(i), [&](auto *targets) HWY_ATTR {
        withFloat(dx.dtype, dx.address(i), [&](auto *result) HWY_ATTR {
          forVectors(x.cols, [&](int64_t j, int64_t count) HWY_ATTR {
            VecF32 difference = hn::Sub(loadF32(values + j, count),
                                        loadF32(targets + j, count));
            storeF32(hn::Mul(difference, scale), result + j, count);
          });
        });
      });
    });
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(squaredErrorRows);
HWY_EXPORT(squaredErrorGradRows);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Divisor of the sum; 1 if there are no elements, whose sum is 0.
static double divisorOf(const Matrix &x, tert_reduction reduction) {
  return reduction == TERT_MEAN ? std::max(1.0, double(x.rows) * double(x.cols))
                                : 1.0;
}

void cpu::squaredError(Execution &execution, const tert_tensor &x,
                       const tert_tensor &target, const tert_tensor &loss,
                       tert_reduction reduction) {
  Matrix values(x), targets(target);
  RowTasks tasks(values.rows, values.cols);
  Scratch::Frame frame(execution.scratch);
  double *sums = frame.take<double>(tasks.count);
  auto rows = HWY_DYNAMIC_DISPATCH(squaredErrorRows);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    int64_t first = tasks.first(task);
    sums[task] = rows(values, targets, first, first + tasks.size(task));
  });
  double total = 0.0;
  for (int64_t task = 0; task < tasks.count; ++task)
    total += sums[task];
  scalarOf(loss) = float(total / divisorOf(values, reduction));
}

void cpu::squaredErrorGrad(Execution &execution, const tert_tensor &dloss,
                           const tert_tensor &x, const tert_tensor &target,
                           const tert_tensor &dx, tert_reduction reduction) {
  Matrix values(x), targets(target), result(dx);
  const float factor =
      float(2.0 * scalarOf(dloss) / divisorOf(values, reduction));
  RowTasks tasks(values.rows, values.cols);
  auto rows = HWY_DYNAMIC_DISPATCH(squaredErrorGradRows);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    int64_t first = tasks.first(task);
    rows(values, targets, factor, result, first, first + tasks.size(task));
  });
}

#endif // HWY_ONCE
