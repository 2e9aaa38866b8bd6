// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Precision.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Quantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Quantizes one tile, in the single read of x. Its first row is row `first` of
/// the outputs.
void quantizeTileOf(const Matrix &x, QuantizedOutputs &outputs, int64_t first,
                    int64_t row, int64_t col) {
  int64_t rows = HWY_MIN(quantizeTileRows, x.rows - row);
  int64_t cols = HWY_MIN(quantizeTileCols, x.cols - col);
  if (x.dtype == TERT_F32) {
    quantizeTile(outputs, static_cast<float *>(x.address(row, col)), x.stride,
                 first + row, col, rows, cols);
    return;
  }
  HWY_ALIGN float tile[quantizeTileRows * quantizeTileCols];
  for (int64_t i = 0; i < rows; ++i)
    readRow(x.dtype, x.address(row + i, col), tile + i * quantizeTileCols,
            cols);
  quantizeTile(outputs, tile, quantizeTileCols, first + row, col, rows, cols);
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

/// Quantizes all tiles of x, one a task, into the outputs' rows from `first`.
static void forEachTile(Execution &execution, const Matrix &x,
                        QuantizedOutputs &outputs, int64_t first = 0) {
  auto tile = HWY_DYNAMIC_DISPATCH(quantizeTileOf);
  int64_t tilesPerRow = ceilDiv(x.cols, quantizeTileCols);
  execution.pool.parallelFor(
      ceilDiv(x.rows, quantizeTileRows) * tilesPerRow, [&](int64_t task, int) {
        tile(x, outputs, first, task / tilesPerRow * quantizeTileRows,
             task % tilesPerRow * quantizeTileCols);
      });
}

void cpu::quantize(Execution &execution, const tert_tensor &xTensor,
                   const tert_quantized &quantized, const tert_tensor *dbias) {
  Matrix x(xTensor);
  QuantizedOutputs outputs(x.rows, x.cols, quantized);
  if (outputs.any()) {
    forEachTile(execution, x, outputs);
    outputs.finish();
  }
  if (dbias)
    columnSum(execution, xTensor, *dbias);
}

void cpu::quantizeJoined(Execution &execution, int32_t numX,
                         const tert_tensor *x,
                         const tert_quantized &quantized) {
  int64_t rows = 0;
  for (int32_t i = 0; i < numX; ++i)
    rows += Matrix(x[i]).rows;
  QuantizedOutputs outputs(rows, Matrix(x[0]).cols, quantized);
  if (!outputs.any())
    return;
  int64_t first = 0;
  for (int32_t i = 0; i < numX; ++i) {
    Matrix part(x[i]);
    forEachTile(execution, part, outputs, first);
    first += part.rows;
  }
  outputs.finish();
}

void cpu::amax(Execution &execution, const tert_tensor &x,
               const tert_tensor &amax) {
  tert_quantized quantized = {};
  quantized.amax = &amax;
  QuantizedOutputs outputs(0, 0, quantized);
  // Without copies, a tile is only read.
  forEachMatrix(
      [&](const Matrix &part) { forEachTile(execution, part, outputs); }, x);
  outputs.finish();
}

void cpu::dequantize(Execution &execution, const tert_scaled &x,
                     const tert_tensor &y) {
  float factor = scalarOf(*x.scale_inv);
  auto rowsOf = HWY_DYNAMIC_DISPATCH(dequantizeRows);
  forEachMatrix(
      [&](const Matrix &from, const Matrix &to) {
        RowTasks tasks(from.rows, from.cols);
        execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
          rowsOf(from, factor, to, tasks.first(task), tasks.size(task));
        });
      },
      *x.data, y);
}

#endif // HWY_ONCE
