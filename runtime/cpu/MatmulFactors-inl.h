// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors of a matrix product in f32, in the order in which the register tiles
// read them.
#if defined(TERT_CPU_MATMULFACTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_MATMULFACTORS_INL_H
#undef TERT_CPU_MATMULFACTORS_INL_H
#else
#define TERT_CPU_MATMULFACTORS_INL_H
#endif

#include "cpu/MatmulFactors.h"
#include "cpu/Quantize-inl.h"
#include "cpu/TileMatmul-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// y[0, n) = elements [col, col + n) of a row of any storage type.
HWY_INLINE void readElements(const Matrix &x, int64_t row, int64_t col,
                             int64_t n, float *y) {
  if (!isFp8(x.dtype))
    return readRow(x.dtype, x.address(row, col), y, n);
  const uint8_t *codes = x.row<uint8_t>(row) + col;
  withFp8(x.dtype, [&](auto format) HWY_ATTR {
    decodeRow<decltype(format)>(codes, y, n, 1.0f);
  });
}

//===-- op(b) -------------------------------------------------------------===//

/// y[j][i] = x[i][j] for 4 x 4 elements.
HWY_INLINE void transpose4x4(const float *x, int64_t xStride, float *y,
                             int64_t yStride) {
  hn::Full128<float> d;
  auto r0 = hn::LoadU(d, x), r1 = hn::LoadU(d, x + xStride);
  auto r2 = hn::LoadU(d, x + 2 * xStride), r3 = hn::LoadU(d, x + 3 * xStride);
  auto even01 = hn::InterleaveLower(d, r0, r2);
  auto odd01 = hn::InterleaveLower(d, r1, r3);
  auto even23 = hn::InterleaveUpper(d, r0, r2);
  auto odd23 = hn::InterleaveUpper(d, r1, r3);
  hn::StoreU(hn::InterleaveLower(d, even01, odd01), d, y);
  hn::StoreU(hn::InterleaveUpper(d, even01, odd01), d, y + yStride);
  hn::StoreU(hn::InterleaveLower(d, even23, odd23), d, y + 2 * yStride);
  hn::StoreU(hn::InterleaveUpper(d, even23, odd23), d, y + 3 * yStride);
}

/// Packs FP8 stored [N, K]: codes are transposed, then decoded.
template <typename Format>
HWY_INLINE void packCodes(const Matrix &b, int64_t col, int64_t cols, int64_t k,
                          int64_t depth, float *panel) {
  HWY_ALIGN uint8_t codes[panelCols * blockDepth];
  HWY_ALIGN uint8_t transposed[blockDepth * panelCols];
  for (int64_t i = 0; i < cols; ++i)
    copyCodes<blockDepth>(codes + i * blockDepth, b.row<uint8_t>(col + i) + k,
                          depth);
  std::memset(codes + cols * blockDepth, 0, (panelCols - cols) * blockDepth);
  for (int64_t i = 0; i < panelCols; i += 16)
    transpose16Rows(codes + i * blockDepth, blockDepth, depth, transposed + i,
                    panelCols);
  decodeRow<Format>(transposed, panel, depth * panelCols, 1.0f);
}

/// Packs f32 or bf16 stored [N, K].
HWY_INLINE void packFloats(const Matrix &b, int64_t col, int64_t cols,
                           int64_t k, int64_t depth, float *panel) {
  HWY_ALIGN float rows[4 * blockDepth];
  HWY_ALIGN float packed[blockDepth * 4];
  for (int64_t i = 0; i < panelCols; i += 4) {
    std::memset(rows, 0, sizeof(rows));
    for (int64_t r = 0; r < 4 && i + r < cols; ++r)
      readRow(b.dtype, b.address(col + i + r, k), rows + r * blockDepth, depth);
    for (int64_t j = 0; j < depth; j += 4)
      transpose4x4(rows + j, blockDepth, packed + j * 4, 4);
    for (int64_t j = 0; j < depth; ++j)
      std::memcpy(panel + j * panelCols + i, packed + j * 4, 4 * sizeof(float));
  }
}

/// Packs rows [k, k + depth) of the panel of op(b) that begins at column col,
/// zero beyond its `cols` columns. depth is at most blockDepth.
void packPanel(const Factor &b, int64_t col, int64_t cols, int64_t k,
               int64_t depth, float *panel) {
  if (!b.transposed) {
    for (int64_t j = 0; j < depth; ++j) {
      float *row = panel + j * panelCols;
      readElements(b.matrix, k + j, col, cols, row);
      std::memset(row + cols, 0, (panelCols - cols) * sizeof(float));
    }
  } else if (isFp8(b.matrix.dtype)) {
    withFp8(b.matrix.dtype, [&](auto format) HWY_ATTR {
      packCodes<decltype(format)>(b.matrix, col, cols, k, depth, panel);
    });
  } else {
    packFloats(b.matrix, col, cols, k, depth, panel);
  }
}

//===-- op(a) -------------------------------------------------------------===//

/// Rows [row, row + rows) and depths [k, k + depth) of op(a), in f32.
HWY_INLINE TileOperand loadBlock(const Factor &a, int64_t row, int64_t rows,
                                 int64_t k, int64_t depth, float *buffer) {
  if (!a.transposed) {
    for (int64_t i = 0; i < rows; ++i)
      readElements(a.matrix, row + i, k, depth, buffer + i * blockStride);
  } else {
    HWY_ALIGN float stored[4 * maxBlockRows] = {};
    for (int64_t j = 0; j < depth; j += 4) {
      for (int64_t r = 0; r < 4 && j + r < depth; ++r)
        readElements(a.matrix, k + j + r, row, rows, stored + r * maxBlockRows);
      for (int64_t i = 0; i < rows; i += 4)
        transpose4x4(stored + i, maxBlockRows, buffer + i * blockStride + j,
                     blockStride);
    }
  }
  return {buffer, blockStride, 1};
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_MATMULFACTORS_INL_H
