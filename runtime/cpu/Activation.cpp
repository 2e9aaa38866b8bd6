// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Activation.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"
#include "cpu/RowSums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Activation.cpp"
#include <hwy/foreach_target.h>

#include "cpu/ActivationFunctions-inl.h"
#include "cpu/Quantize-inl.h"

#include <algorithm>
#include <optional>

#ifndef TERT_CPU_ACTIVATION_TILES
#define TERT_CPU_ACTIVATION_TILES
namespace tert::cpu {

// One task: as many rows as quantized tiles have, and few enough columns that a
// short and wide matrix gives work to every thread.
constexpr int64_t taskRows = quantizeTileRows;
constexpr int64_t taskCols = 8 * quantizeTileCols;

struct ActivationTask {
  int64_t row, col, rows, cols;
};

/// The tasks of a matrix [rows, cols], row of tasks by row of tasks.
struct ActivationTasks {
  int64_t rows, cols;

  int64_t rowCount() const { return ceilDiv(rows, taskRows); }
  int64_t colCount() const { return ceilDiv(cols, taskCols); }
  int64_t count() const { return rowCount() * colCount(); }
  ActivationTask operator[](int64_t task) const {
    int64_t row = task / colCount() * taskRows;
    int64_t col = task % colCount() * taskCols;
    return {row, col, std::min(taskRows, rows - row),
            std::min(taskCols, cols - col)};
  }
};

} // namespace tert::cpu
#endif // TERT_CPU_ACTIVATION_TILES

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

using ResultTile = float[quantizeTileRows * quantizeTileCols];

/// Computes one task tile by tile: result(row, col, count, tileRow) fills a row
/// of the tile; then it goes to y and to the quantized outputs.
template <typename Fn>
HWY_INLINE void forTiles(const ActivationTask &task, const Matrix *y,
                         QuantizedOutputs &outputs, const Fn &result) {
  HWY_ALIGN ResultTile tile;
  for (int64_t j = 0; j < task.cols; j += quantizeTileCols) {
    const int64_t cols = std::min(quantizeTileCols, task.cols - j);
    for (int64_t i = 0; i < task.rows; ++i) {
      float *tileRow = tile + i * quantizeTileCols;
      result(task.row + i, task.col + j, cols, tileRow);
      if (y)
        writeRow(y->dtype, tileRow, y->address(task.row + i, task.col + j),
                 cols);
    }
    if (outputs.any())
      quantizeTile(outputs, tile, quantizeTileCols, task.row, task.col + j,
                   task.rows, cols);
  }
}

void activationTask(const ActivationTask &task, const Matrix &x,
                    const Matrix *y, QuantizedOutputs &outputs,
                    tert_activation_kind kind) {
  withActivation(kind, [&](auto function) HWY_ATTR {
    withFloat(x.dtype, x.data, [&](auto *xData) HWY_ATTR {
      forTiles(
          task, y, outputs,
          [&](int64_t row, int64_t col, int64_t cols, float *tileRow) HWY_ATTR {
            const auto *xRow = xData + row * x.stride + col;
            forVectors(cols, [&](int64_t j, int64_t count) HWY_ATTR {
              storeF32(function.value(loadF32(xRow + j, count)), tileRow + j);
            });
          });
    });
  });
}

/// `columnSums`: null, or the row of sums over this task's rows.
void activationGradTask(const ActivationTask &task, const Matrix &dy,
                        const Matrix &x, const Matrix *dx,
                        QuantizedOutputs &outputs, float *columnSums,
                        tert_activation_kind kind) {
  if (columnSums)
    std::fill_n(columnSums + task.col, task.cols, 0.0f);
  withActivation(kind, [&](auto function) HWY_ATTR {
    forTiles(
        task, dx, outputs,
        [&](int64_t row, int64_t col, int64_t cols, float *tileRow) HWY_ATTR {
          float xBuffer[quantizeTileCols], dyBuffer[quantizeTileCols];
          const float *xRow = asF32(x, row, col, cols, xBuffer);
          const float *dyRow = asF32(dy, row, col, cols, dyBuffer);
          forVectors(cols, [&](int64_t j, int64_t count) HWY_ATTR {
            VecF32 slope = function.derivative(loadF32(xRow + j, count));
            VecF32 result = hn::Mul(loadF32(dyRow + j, count), slope);
            storeF32(result, tileRow + j);
            if (columnSums) {
              float *sums = columnSums + col + j;
              storeF32(hn::Add(loadF32(sums, count), result), sums, count);
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
                     const tert_tensor *scale, const tert_tensor *y,
                     const tert_tensor *rowwise, const tert_tensor *columnwise,
                     const tert_tensor *amax, tert_activation_kind kind) {
  Matrix input(x);
  std::optional<Matrix> output = optionalMatrix(y);
  QuantizedOutputs quantized(input.rows, input.cols, scale, rowwise, columnwise,
                             amax);
  ActivationTasks tasks{input.rows, input.cols};
  auto kernel = HWY_DYNAMIC_DISPATCH(activationTask);
  execution.pool.parallelFor(tasks.count(), [&](int64_t task, int) {
    kernel(tasks[task], input, output ? &*output : nullptr, quantized, kind);
  });
  quantized.finish();
}

void cpu::activationGrad(Execution &execution, const tert_tensor &dy,
                         const tert_tensor &x, const tert_tensor *scale,
                         const tert_tensor *dx, const tert_tensor *rowwise,
                         const tert_tensor *columnwise, const tert_tensor *amax,
                         const tert_tensor *dbias, tert_activation_kind kind) {
  Matrix cotangent(dy), input(x);
  std::optional<Matrix> output = optionalMatrix(dx);
  QuantizedOutputs quantized(input.rows, input.cols, scale, rowwise, columnwise,
                             amax);
  ActivationTasks tasks{input.rows, input.cols};
  Scratch::Frame frame(execution.scratch);
  float *sums =
      dbias ? frame.take<float>(tasks.rowCount() * input.cols) : nullptr;
  auto kernel = HWY_DYNAMIC_DISPATCH(activationGradTask);
  execution.pool.parallelFor(tasks.count(), [&](int64_t index, int) {
    ActivationTask task = tasks[index];
    kernel(task, cotangent, input, output ? &*output : nullptr, quantized,
           sums ? sums + task.row / taskRows * input.cols : nullptr, kind);
  });
  quantized.finish();
  if (dbias)
    sumRows(execution, sums, tasks.rowCount(), Matrix(*dbias));
}
#endif // HWY_ONCE
