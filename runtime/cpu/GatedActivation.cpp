// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/ResultTasks.h"
#include "cpu/RowSums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/GatedActivation.cpp"
#include <hwy/foreach_target.h>

#include "cpu/ActivationFunctions-inl.h"
#include "cpu/Quantize-inl.h"

#include <algorithm>
#include <optional>

#ifndef TERT_CPU_GATEDACTIVATION_ARGUMENTS
#define TERT_CPU_GATEDACTIVATION_ARGUMENTS
namespace tert::cpu {

// The gradient has two results per element of a task.
constexpr int64_t gradCols = taskCols / 2;

/// Gate and up as matrices [rows, cols], from one tensor or two.
struct Gate {
  Gate(const tert_tensor &x, const tert_tensor *separateUp, bool upFirst)
      : gate(x), up(separateUp ? Matrix(*separateUp) : gate) {
    if (separateUp)
      return;
    gate.cols /= 2;
    up.cols = gate.cols;
    Matrix &second = upFirst ? gate : up;
    second.data = second.address(0, gate.cols);
  }

  Matrix gate, up;
};

/// Results of the gradient. Quantized copies and sums are those of a joined dx,
/// in which dgate begins at column gateCol and dup at upCol.
struct GatedGradOutputs {
  std::optional<Matrix> dgate, dup;
  int64_t gateCol, upCol;
};

} // namespace tert::cpu
#endif // TERT_CPU_GATEDACTIVATION_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// `results` is a buffer of resultSize floats.
void gatedActivationTask(const ResultTask &task, const Gate &x, const Matrix *y,
                         QuantizedOutputs &outputs, tert_activation_kind kind,
                         float *results) {
  HWY_ALIGN float gateBuffer[taskCols], upBuffer[taskCols];
  withActivation(kind, [&](auto function) HWY_ATTR {
    for (int64_t i = 0; i < task.rows; ++i) {
      const int64_t row = task.row + i;
      const float *gate = asF32(x.gate, row, task.col, task.cols, gateBuffer);
      const float *up = asF32(x.up, row, task.col, task.cols, upBuffer);
      float *result = results + i * resultStride;
      forVectors(task.cols, [&](int64_t j, int64_t count) HWY_ATTR {
        storeF32(hn::Mul(function.value(loadF32(gate + j, count)),
                         loadF32(up + j, count)),
                 result + j);
      });
      if (y)
        writeRow(y->dtype, result, y->address(row, task.col), task.cols);
    }
  });
  if (outputs.any())
    quantizeTile(outputs, results, resultStride, task.row, task.col, task.rows,
                 task.cols);
}

/// Adds the task's rows of f32 results to `sums`.
HWY_INLINE void addRows(const ResultTask &task, const float *results,
                        float *sums) {
  for (int64_t i = 0; i < task.rows; ++i)
    forVectors(task.cols, [&](int64_t j, int64_t count) HWY_ATTR {
      storeF32(hn::Add(loadF32(sums + j, count),
                       loadF32(results + i * resultStride + j, count)),
               sums + j, count);
    });
}

/// `columnSums` is null, or the row of sums over this task's rows of all
/// columns of a joined dx. The columns of `results` are gradCols of dgate, then
/// those of dup.
void gatedActivationGradTask(const ResultTask &task, const Matrix &dy,
                             const Gate &x, const GatedGradOutputs &grads,
                             QuantizedOutputs &outputs, float *columnSums,
                             tert_activation_kind kind, float *results) {
  HWY_ALIGN float gateBuffer[gradCols], upBuffer[gradCols], dyBuffer[gradCols];
  float *dupResults = results + gradCols;
  withActivation(kind, [&](auto function) HWY_ATTR {
    for (int64_t i = 0; i < task.rows; ++i) {
      const int64_t row = task.row + i;
      const float *gate = asF32(x.gate, row, task.col, task.cols, gateBuffer);
      const float *up = asF32(x.up, row, task.col, task.cols, upBuffer);
      const float *dyRow = asF32(dy, row, task.col, task.cols, dyBuffer);
      float *dgate = results + i * resultStride;
      float *dup = dupResults + i * resultStride;
      forVectors(task.cols, [&](int64_t j, int64_t count) HWY_ATTR {
        VecF32 g = loadF32(gate + j, count), d = loadF32(dyRow + j, count);
        VecF32 dgateV =
            hn::Mul(hn::Mul(d, loadF32(up + j, count)), function.derivative(g));
        storeF32(dgateV, dgate + j, count);
        storeF32(hn::Mul(d, function.value(g)), dup + j, count);
      });
      if (grads.dgate)
        writeRow(grads.dgate->dtype, dgate, grads.dgate->address(row, task.col),
                 task.cols);
      if (grads.dup)
        writeRow(grads.dup->dtype, dup, grads.dup->address(row, task.col),
                 task.cols);
    }
  });
  for (auto [first, values] : {std::pair(grads.gateCol, results),
                               std::pair(grads.upCol, dupResults)}) {
    if (outputs.any())
      quantizeTile(outputs, values, resultStride, task.row, first + task.col,
                   task.rows, task.cols);
    if (columnSums) {
      std::fill_n(columnSums + first + task.col, task.cols, 0.0f);
      addRows(task, values, columnSums + first + task.col);
    }
  }
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tert::cpu {
HWY_EXPORT(gatedActivationTask);
HWY_EXPORT(gatedActivationGradTask);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::gatedActivation(Execution &execution, const tert_tensor &x,
                          const tert_tensor *up, const tert_tensor *y,
                          const tert_quantized &quantized,
                          tert_activation_kind kind, bool upFirst) {
  Gate input(x, up, upFirst);
  std::optional<Matrix> output = optionalMatrix(y);
  QuantizedOutputs outputs(input.gate.rows, input.gate.cols, quantized);
  ResultTasks tasks{input.gate.rows, input.gate.cols};
  Scratch::Frame frame(execution.scratch);
  float *results =
      frame.take<float>(execution.pool.getNumThreads() * resultSize);
  auto kernel = HWY_DYNAMIC_DISPATCH(gatedActivationTask);
  execution.pool.parallelFor(tasks.count(), [&](int64_t task, int worker) {
    kernel(tasks[task], input, output ? &*output : nullptr, outputs, kind,
           results + worker * resultSize);
  });
  outputs.finish();
}

void cpu::gatedActivationGrad(Execution &execution, const tert_tensor &dy,
                              const tert_tensor &x, const tert_tensor *up,
                              const tert_tensor *dx, const tert_tensor *dup,
                              const tert_quantized &quantized,
                              const tert_tensor *dbias,
                              tert_activation_kind kind, bool upFirst) {
  Gate input(x, up, upFirst);
  Matrix cotangent(dy), whole(x);
  const int64_t cols = input.gate.cols;
  GatedGradOutputs grads{std::nullopt, std::nullopt, 0, cols};
  if (up) {
    grads.dgate = optionalMatrix(dx);
    grads.dup = optionalMatrix(dup);
  } else {
    if (upFirst)
      std::swap(grads.gateCol, grads.upCol);
    if (dx) {
      Gate joined(*dx, nullptr, upFirst);
      grads.dgate = joined.gate;
      grads.dup = joined.up;
    }
  }
  QuantizedOutputs outputs(whole.rows, whole.cols, quantized);
  ResultTasks tasks{input.gate.rows, cols, gradCols};
  Scratch::Frame frame(execution.scratch);
  float *sums =
      dbias ? frame.take<float>(tasks.rowCount() * whole.cols) : nullptr;
  float *results =
      frame.take<float>(execution.pool.getNumThreads() * resultSize);
  auto kernel = HWY_DYNAMIC_DISPATCH(gatedActivationGradTask);
  execution.pool.parallelFor(tasks.count(), [&](int64_t index, int worker) {
    ResultTask task = tasks[index];
    kernel(task, cotangent, input, grads, outputs,
           sums ? sums + task.row / taskRows * whole.cols : nullptr, kind,
           results + worker * resultSize);
  });
  outputs.finish();
  if (dbias)
    sumRows(execution, sums, tasks.rowCount(), Matrix(*dbias));
}

/// Two separate ops: on a CPU these are bound by arithmetic, so fusing them
/// gains nothing.
void cpu::gatedActivationGradRecompute(
    Execution &execution, const tert_tensor &dy, const tert_tensor &x,
    const tert_tensor &yScale, const tert_tensor *dx,
    const tert_quantized &quantized, const tert_tensor *dbias,
    const tert_tensor &yColumnwise, tert_activation_kind kind, bool upFirst) {
  gatedActivationGrad(execution, dy, x, /*up=*/nullptr, dx, /*dup=*/nullptr,
                      quantized, dbias, kind, upFirst);
  tert_quantized copy = {};
  copy.scale = &yScale;
  copy.columnwise.data = &yColumnwise;
  gatedActivation(execution, x, /*up=*/nullptr, /*y=*/nullptr, copy, kind,
                  upFirst);
}
#endif // HWY_ONCE
