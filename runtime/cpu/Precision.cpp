// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Precision.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Precision.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Quantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// One tile of quantize(): the one read of x.
void quantizeTileOf(const Matrix &x, QuantizedOutputs &outputs, int64_t row,
                    int64_t col) {
  int64_t rows = HWY_MIN(quantizeTileRows, x.rows - row);
  int64_t cols = HWY_MIN(quantizeTileCols, x.cols - col);
  if (x.dtype == TERT_F32) {
    quantizeTile(outputs, static_cast<float *>(x.address(row, col)), x.stride,
                 row, col, rows, cols);
    return;
  }
  HWY_ALIGN float tile[quantizeTileRows * quantizeTileCols];
  for (int64_t i = 0; i < rows; ++i)
    readRow(x.dtype, x.address(row + i, col), tile + i * quantizeTileCols,
            cols);
  quantizeTile(outputs, tile, quantizeTileCols, row, col, rows, cols);
}

/// Rows [row, row + rows) of dequantize().
void dequantizeRows(const Matrix &x, float scaleInv, const Matrix &y,
                    int64_t row, int64_t rows) {
  constexpr int64_t piece = 1024;
  HWY_ALIGN float buffer[piece];
  withFp8(x.dtype, [&](auto format) HWY_ATTR {
    using Format = decltype(format);
    for (int64_t i = row; i < row + rows; ++i) {
      if (y.dtype == TERT_F32) {
        decodeRow<Format>(x.row<uint8_t>(i), y.row<float>(i), x.cols, scaleInv);
        continue;
      }
      for (int64_t j = 0; j < x.cols; j += piece) {
        int64_t cols = HWY_MIN(piece, x.cols - j);
        decodeRow<Format>(x.row<uint8_t>(i) + j, buffer, cols, scaleInv);
        writeRow(y.dtype, buffer, y.address(i, j), cols);
      }
    }
  });
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(quantizeTileOf);
HWY_EXPORT(dequantizeRows);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::quantize(Execution &execution, const tert_tensor &xTensor,
                   const tert_tensor &scale, const tert_tensor *rowwise,
                   const tert_tensor *columnwise, const tert_tensor *amax) {
  Matrix x(xTensor);
  QuantizedOutputs outputs(x.rows, x.cols, &scale, rowwise, columnwise, amax);
  if (!outputs.any())
    return;
  // A task takes a band of tiles: wide rows are read as the hardware
  // prefetches them, and tasks are not too small.
  int64_t bands = ceilDiv(x.rows, quantizeTileRows);
  int64_t tilesPerRow = ceilDiv(x.cols, quantizeTileCols);
  constexpr int64_t tilesPerTask = 4;
  int64_t tasksPerBand = ceilDiv(tilesPerRow, tilesPerTask);
  auto tile = HWY_DYNAMIC_DISPATCH(quantizeTileOf);
  execution.pool.parallelFor(
      bands * tasksPerBand, [&](int64_t task, int /*worker*/) {
        int64_t row = task / tasksPerBand * quantizeTileRows;
        int64_t first = task % tasksPerBand * tilesPerTask;
        int64_t last = std::min(first + tilesPerTask, tilesPerRow);
        for (int64_t i = first; i < last; ++i)
          tile(x, outputs, row, i * quantizeTileCols);
      });
  outputs.finish();
}

void cpu::amax(Execution &execution, const tert_tensor &x,
               const tert_tensor &amax) {
  QuantizedOutputs outputs(0, 0, nullptr, nullptr, nullptr, &amax);
  auto tile = HWY_DYNAMIC_DISPATCH(quantizeTileOf);
  forEachMatrix(
      [&](const Matrix &part) {
        constexpr int64_t elementsPerTask = 1 << 14;
        // Without copies a tile is only read, so its shape is free.
        int64_t tilesPerRow = ceilDiv(part.cols, quantizeTileCols);
        int64_t bands = ceilDiv(part.rows, quantizeTileRows);
        int64_t numTiles = bands * tilesPerRow;
        constexpr int64_t tilesPerTask =
            elementsPerTask / (quantizeTileRows * quantizeTileCols);
        execution.pool.parallelFor(
            ceilDiv(numTiles, tilesPerTask), [&](int64_t task, int) {
              int64_t end = std::min((task + 1) * tilesPerTask, numTiles);
              for (int64_t i = task * tilesPerTask; i < end; ++i)
                tile(part, outputs, i / tilesPerRow * quantizeTileRows,
                     i % tilesPerRow * quantizeTileCols);
            });
      },
      x);
  outputs.finish();
}

void cpu::dequantize(Execution &execution, const tert_tensor &x,
                     const tert_tensor &scaleInv, const tert_tensor &y) {
  float factor = scalarOf(scaleInv);
  auto rowsOf = HWY_DYNAMIC_DISPATCH(dequantizeRows);
  forEachMatrix(
      [&](const Matrix &from, const Matrix &to) {
        RowTasks tasks(from.rows, from.cols);
        execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
          rowsOf(from, factor, to, tasks.first(task), tasks.size(task));
        });
      },
      x, y);
}

#endif // HWY_ONCE
