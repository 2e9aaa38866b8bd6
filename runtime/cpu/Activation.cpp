// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/ResultTasks.h"
#include "cpu/RowSums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Activation.cpp"
#include <hwy/foreach_target.h>

#include "cpu/ActivationFunctions-inl.h"
#include "cpu/Quantize-inl.h"

#include <algorithm>
#include <optional>

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Computes one task. fill(row, col, results) computes one row of the task's
/// f32 results, which are then stored to y and to the quantized outputs.
template <typename Fn>
HWY_INLINE void forResults(const ResultTask &task, const Matrix *y,
                           QuantizedOutputs &outputs, float *results,
                           const Fn &fill) {
  for (int64_t i = 0; i < task.rows; ++i) {
    float *row = results + i * resultStride;
    fill(task.row + i, row);
    if (y)
      writeRow(y->dtype, row, y->address(task.row + i, task.col), task.cols);
  }
  if (outputs.any())
    quantizeTile(outputs, results, resultStride, task.row, task.col, task.rows,
                 task.cols);
}

/// `results` is a buffer of resultSize floats.
void activationTask(const ResultTask &task, const Matrix &x, const Matrix *y,
                    QuantizedOutputs &outputs, tert_activation_kind kind,
                    float *results) {
  withActivation(kind, [&](auto function) HWY_ATTR {
    withFloat(x.dtype, x.address(0, task.col), [&](auto *data) HWY_ATTR {
      forResults(
          task, y, outputs, results, [&](int64_t row, float *result) HWY_ATTR {
            const auto *from = data + row * x.stride;
            forVectors(task.cols, [&](int64_t j, int64_t count) HWY_ATTR {
              storeF32(function.value(loadF32(from + j, count)), result + j);
            });
          });
    });
  });
}

/// `columnSums` is null, or the row of sums over this task's rows.
void activationGradTask(const ResultTask &task, const Matrix &dy,
                        const Matrix &x, const Matrix *dx,
                        QuantizedOutputs &outputs, float *columnSums,
                        tert_activation_kind kind, float *results) {
  if (columnSums)
    std::fill_n(columnSums + task.col, task.cols, 0.0f);
  withActivation(kind, [&](auto function) HWY_ATTR {
    forResults(
        task, dx, outputs, results, [&](int64_t row, float *result) HWY_ATTR {
          HWY_ALIGN float xBuffer[taskCols], dyBuffer[taskCols];
          const float *xRow = asF32(x, row, task.col, task.cols, xBuffer);
          const float *dyRow = asF32(dy, row, task.col, task.cols, dyBuffer);
          forVectors(task.cols, [&](int64_t j, int64_t count) HWY_ATTR {
            VecF32 slope = function.derivative(loadF32(xRow + j, count));
            VecF32 value = hn::Mul(loadF32(dyRow + j, count), slope);
            storeF32(value, result + j);
            if (columnSums) {
              float *sums = columnSums + task.col + j;
              storeF32(hn::Add(loadF32(sums, count), value), sums, count);
            }
          });
        });
  });
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tert::cpu {
HWY_EXPORT(activationTask);
HWY_EXPORT(activationGradTask);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::activation(Execution &execution, const tert_tensor &x,
                     const tert_tensor *y, const tert_quantized &quantized,
                     tert_activation_kind kind) {
  Matrix input(x);
  std::optional<Matrix> output = optionalMatrix(y);
  QuantizedOutputs outputs(input.rows, input.cols, quantized);
  ResultTasks tasks{input.rows, input.cols};
  Scratch::Frame frame(execution.scratch);
  float *results =
      frame.take<float>(execution.pool.getNumThreads() * resultSize);
  auto kernel = HWY_DYNAMIC_DISPATCH(activationTask);
  execution.pool.parallelFor(tasks.count(), [&](int64_t task, int worker) {
    kernel(tasks[task], input, output ? &*output : nullptr, outputs, kind,
           results + worker * resultSize);
  });
  outputs.finish();
}

void cpu::activationGrad(Execution &execution, const tert_tensor &dy,
                         const tert_tensor &x, const tert_tensor *dx,
                         const tert_quantized &quantized,
                         const tert_tensor *dbias, tert_activation_kind kind) {
  Matrix cotangent(dy), input(x);
  std::optional<Matrix> output = optionalMatrix(dx);
  QuantizedOutputs outputs(input.rows, input.cols, quantized);
  ResultTasks tasks{input.rows, input.cols};
  Scratch::Frame frame(execution.scratch);
  float *sums =
      dbias ? frame.take<float>(tasks.rowCount() * input.cols) : nullptr;
  float *results =
      frame.take<float>(execution.pool.getNumThreads() * resultSize);
  auto kernel = HWY_DYNAMIC_DISPATCH(activationGradTask);
  execution.pool.parallelFor(tasks.count(), [&](int64_t index, int worker) {
    ResultTask task = tasks[index];
    kernel(task, cotangent, input, output ? &*output : nullptr, outputs,
           sums ? sums + task.row / taskRows * input.cols : nullptr, kind,
           results + worker * resultSize);
  });
  outputs.finish();
  if (dbias)
    sumRows(execution, sums, tasks.rowCount(), Matrix(*dbias));
}
#endif // HWY_ONCE
