// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"

// Shared by all instruction sets, so defined once.
#ifndef TERT_CPU_PRECISION_SHARED
#define TERT_CPU_PRECISION_SHARED
namespace tert::cpu {

/// Amaxes of blocks of x or, `transposed`, of xᵀ, as the bits of floats.
struct BlockAmaxes {
  BlockAmaxes(const tert_tensor &amax, const Matrix &x, bool transposed)
      : bits(static_cast<uint32_t *>(amax.data)) {
    const int64_t cols = sizeOf(amax, 1);
    rowStride = transposed ? 1 : cols;
    colStride = transposed ? cols : 1;
    blockRows = tert_padded_scale_block(x.rows, sizeOf(amax, transposed));
    blockCols = tert_padded_scale_block(x.cols, sizeOf(amax, !transposed));
  }

  /// Takes |x[row, col]|.
  void add(int64_t row, int64_t col, uint32_t value) const {
    raiseAmax(bits[row / blockRows * rowStride + col / blockCols * colStride],
              value);
  }

  int64_t blockRows, blockCols;

private:
  uint32_t *bits;
  int64_t rowStride, colStride;
};

} // namespace tert::cpu
#endif // TERT_CPU_PRECISION_SHARED

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
void dequantizeRows(const Matrix &x, const Scales &scaleInvs, const Matrix &y,
                    int64_t row, int64_t rows) {
  constexpr int64_t piece = 1024;
  HWY_ALIGN float buffer[piece];
  withFp8(x.dtype, [&](auto format) HWY_ATTR {
    using Format = decltype(format);
    for (int64_t i = row; i < row + rows; ++i) {
      for (int64_t j = 0; j < x.cols; j += piece) {
        int64_t cols = HWY_MIN(piece, x.cols - j);
        decodeRow<Format>(x.row<uint8_t>(i) + j, buffer, cols,
                          scaleInvs.isOne() ? scaleInvs.at(0, 0) : 1.0f);
        if (!scaleInvs.isOne())
          for (int64_t k = 0; k < cols; ++k)
            buffer[k] *= scaleInvs.at(i, j + k);
        writeRow(y.dtype, buffer, y.address(i, j), cols);
      }
    }
  });
}

/// Raises amaxes [r, c], f32 as bits, by those of one tile of x, whose blocks
/// have blockRows x blockCols elements; of xᵀ they are amaxes [c, r].
void blockAmaxesOfTile(const Matrix &x, const BlockAmaxes &amaxes, int64_t row,
                       int64_t col) {
  hn::Rebind<uint32_t, F32> d32;
  const int64_t rows = HWY_MIN(quantizeTileRows, x.rows - row);
  const int64_t cols = HWY_MIN(quantizeTileCols, x.cols - col);
  HWY_ALIGN float values[quantizeTileCols];
  HWY_ALIGN uint32_t largest[quantizeTileCols] = {};
  for (int64_t i = row; i < row + rows; ++i) {
    readRow(x.dtype, x.address(i, col), values, cols);
    forVectors(cols, [&](int64_t j, int64_t count) HWY_ATTR {
      auto bits = hn::And(hn::BitCast(d32, loadF32(values + j, count)),
                          hn::Set(d32, 0x7fffffffu));
      hn::StoreU(hn::Max(bits, hn::LoadU(d32, largest + j)), d32, largest + j);
    });
    if ((i + 1) % amaxes.blockRows != 0 && i + 1 != row + rows)
      continue;
    // The end of a block's rows, or of the tile.
    for (int64_t j = 0; j < cols;) {
      const int64_t first = j;
      const int64_t end =
          HWY_MIN(cols, j + amaxes.blockCols - (col + j) % amaxes.blockCols);
      uint32_t most = 0;
      for (; j < end; ++j)
        most = HWY_MAX(most, largest[j]);
      amaxes.add(i, col + first, most);
    }
    std::memset(largest, 0, sizeof(largest));
  }
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(quantizeTileOf);
HWY_EXPORT(dequantizeRows);
HWY_EXPORT(blockAmaxesOfTile);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Calls fn(row, col) for the first element of every tile of x, one a task.
template <typename Fn>
static void forEachTileOf(Execution &execution, const Matrix &x, const Fn &fn) {
  int64_t tilesPerRow = ceilDiv(x.cols, quantizeTileCols);
  execution.pool.parallelFor(ceilDiv(x.rows, quantizeTileRows) * tilesPerRow,
                             [&](int64_t task, int) {
                               fn(task / tilesPerRow * quantizeTileRows,
                                  task % tilesPerRow * quantizeTileCols);
                             });
}

/// Quantizes all tiles of x into the outputs' rows from `first`.
static void forEachTile(Execution &execution, const Matrix &x,
                        QuantizedOutputs &outputs, int64_t first = 0) {
  auto tile = HWY_DYNAMIC_DISPATCH(quantizeTileOf);
  forEachTileOf(execution, x, [&](int64_t row, int64_t col) {
    tile(x, outputs, first, row, col);
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

/// Writes one copy of x with the scales of its blocks.
static void quantizeCopy(Execution &execution, const tert_tensor &xTensor,
                         const tert_scaled &copy, bool columnwise,
                         const tert_tensor *amax, float epsilon,
                         bool powerOfTwo) {
  const tert_tensor &scaleInv = *copy.scale_inv;
  const int64_t rows = rankOf(scaleInv) == 0 ? 1 : sizeOf(scaleInv, 0),
                cols = rankOf(scaleInv) == 0 ? 1 : sizeOf(scaleInv, 1);
  Scratch::Frame frame(execution.scratch);
  tert_layout layout = {TERT_F32, rankOf(scaleInv), {rows, cols}, {cols, 1}};
  tert_layout inverseLayout = layout;
  inverseLayout.dtype = dtypeOf(scaleInv);
  const tert_tensor amaxes = {frame.take<float>(rows * cols), &layout},
                    scale = {frame.take<float>(rows * cols), &layout},
                    inverse = {frame.take<float>(rows * cols), &inverseLayout};
  cpu::amax(execution, xTensor, amaxes, columnwise);
  computeScale(execution, amaxes, scale, inverse, dtypeOf(*copy.data),
               /*margin=*/0, epsilon, powerOfTwo);
  cpu::copy(execution, inverse, scaleInv);
  tert_quantized one = {&scale, {}, {}, amax};
  (columnwise ? one.columnwise : one.rowwise).data = copy.data;
  quantize(execution, xTensor, one, /*dbias=*/nullptr);
}

void cpu::quantizeBlocks(Execution &execution, const tert_tensor &x,
                         const tert_quantized &quantized,
                         const tert_tensor *dbias, float epsilon,
                         bool powerOfTwo) {
  const tert_tensor *amax = quantized.amax;
  for (bool columnwise : {false, true}) {
    const tert_scaled &copy =
        columnwise ? quantized.columnwise : quantized.rowwise;
    if (!copy.data)
      continue;
    quantizeCopy(execution, x, copy, columnwise, amax, epsilon, powerOfTwo);
    amax = nullptr;
  }
  if (amax)
    cpu::amax(execution, x, *amax, /*transposed=*/false);
  if (dbias)
    columnSum(execution, x, *dbias);
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

static void blockAmaxes(Execution &execution, const Matrix &x,
                        const tert_tensor &amax, bool transposed) {
  // Blocks of padding alone keep the 0.
  std::memset(amax.data, 0, numElements(amax) * sizeof(float));
  BlockAmaxes amaxes(amax, x, transposed);
  auto tile = HWY_DYNAMIC_DISPATCH(blockAmaxesOfTile);
  forEachTileOf(execution, x,
                [&](int64_t row, int64_t col) { tile(x, amaxes, row, col); });
}

void cpu::amax(Execution &execution, const tert_tensor &x,
               const tert_tensor &amax, bool transposed) {
  if (rankOf(amax) != 0)
    return blockAmaxes(execution, Matrix(x), amax, transposed);
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
  auto rowsOf = HWY_DYNAMIC_DISPATCH(dequantizeRows);
  auto dequantizeMatrix = [&](const Matrix &from, const Matrix &to,
                              const Scales &scaleInvs) {
    RowTasks tasks(from.rows, from.cols);
    execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
      rowsOf(from, scaleInvs, to, tasks.first(task), tasks.size(task));
    });
  };
  if (rankOf(*x.scale_inv) != 0) {
    const Matrix from(*x.data);
    return dequantizeMatrix(from, Matrix(y),
                            Scales(*x.scale_inv, from.rows, from.cols));
  }
  const Scales one(*x.scale_inv, 1, 1);
  forEachMatrix([&](const Matrix &from,
                    const Matrix &to) { dequantizeMatrix(from, to, one); },
                *x.data, y);
}

#endif // HWY_ONCE
