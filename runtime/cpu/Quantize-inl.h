// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization of a tile of f32 results while it is in the first-level cache.
#if defined(TERT_CPU_QUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_QUANTIZE_INL_H
#undef TERT_CPU_QUANTIZE_INL_H
#else
#define TERT_CPU_QUANTIZE_INL_H
#endif

#include "cpu/Fp8-inl.h"
#include "cpu/Quantized.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Codes of one tile, row by row.
using CodeTile = uint8_t[quantizeTileRows * quantizeTileCols];

/// Quantizes v[0, n) to `codes`, scaled by scaleAt(i), a vector, and updates
/// its amax. Writes full vectors, up to quantizeTileCols codes.
template <typename Format, typename ScaleAt>
HWY_INLINE void quantizeTileRow(const float *v, int64_t n,
                                const ScaleAt &scaleAt, uint8_t *codes,
                                hn::Vec<hn::Rebind<uint32_t, F32>> &amax) {
  hn::Rebind<uint32_t, F32> d32;
  forVectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    VecF32 x = loadF32(v + i, count);
    amax =
        hn::Max(amax, hn::And(hn::BitCast(d32, x), hn::Set(d32, 0x7fffffffu)));
    storeFp8<Format>(hn::Mul(x, scaleAt(i)), codes + i);
  });
}

/// Transposes 16 rows of codes, `stride` apart, for `cols` columns: writes 16
/// codes for every column, `transposedStride` apart. Reads and writes full
/// vectors of columns.
HWY_INLINE void transpose16Rows(const uint8_t *codes, int64_t stride,
                                int64_t cols, uint8_t *transposed,
                                int64_t transposedStride) {
  // Interleaving rows i and i + 8 four times brings each column's 16 bytes
  // together, within every 16-byte block of columns.
  hn::ScalableTag<uint8_t> d8;
  hn::Full128<uint8_t> dBlock;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d8));
  for (int64_t col = 0; col < cols; col += lanes) {
    hn::Vec<decltype(d8)> a[16], b[16];
    for (int i = 0; i < 16; ++i)
      a[i] = hn::LoadU(d8, codes + i * stride + col);
    auto stage = [&](const hn::Vec<decltype(d8)> *from,
                     hn::Vec<decltype(d8)> *to) HWY_ATTR {
      for (int i = 0; i < 8; ++i) {
        to[2 * i] = hn::InterleaveLower(d8, from[i], from[i + 8]);
        to[2 * i + 1] = hn::InterleaveUpper(d8, from[i], from[i + 8]);
      }
    };
    stage(a, b);
    stage(b, a);
    stage(a, b);
    stage(b, a);
    // a[c] holds column c of every 16-byte block.
    for (int c = 0; c < 16; ++c) {
      HWY_ALIGN uint8_t blocks[HWY_MAX_BYTES];
      hn::Store(a[c], d8, blocks);
      for (int64_t block = 0; block < lanes; block += 16)
        hn::StoreU(hn::Load(dBlock, blocks + block), dBlock,
                   transposed + (col + block + c) * transposedStride);
    }
  }
}

/// Copies n codes; n is usually `whole`.
template <int64_t whole>
HWY_INLINE void copyCodes(uint8_t *to, const uint8_t *from, int64_t n) {
  if (HWY_LIKELY(n == whole))
    std::memcpy(to, from, whole);
  else
    std::memcpy(to, from, n);
}

template <typename Format>
HWY_INLINE void quantizeTileAs(QuantizedOutputs &outputs, const float *v,
                               int64_t stride, int64_t row, int64_t col,
                               int64_t rows, int64_t cols) {
  hn::Rebind<uint32_t, F32> d32;
  HWY_ALIGN CodeTile codes;
  const Scales &scales = outputs.scales;
  auto scale = hn::Set(F32(), scales.at(0, 0));
  HWY_ALIGN float rowScales[quantizeTileCols];
  auto amax = hn::Zero(d32);
  // The rows of a column-wise copy are too far apart for the hardware to
  // prefetch them.
  if (outputs.columnwise)
    for (int64_t j = 0; j < cols; ++j)
      __builtin_prefetch(outputs.columnwise->address(col + j, row), 1, 2);
  for (int64_t i = 0; i < rows; ++i) {
    uint8_t *codesRow = codes + i * quantizeTileCols;
    if (scales.isOne()) {
      quantizeTileRow<Format>(
          v + i * stride, cols, [&](int64_t) HWY_ATTR { return scale; },
          codesRow, amax);
    } else {
      if (outputs.rowwise)
        scales.read(row + i, col, cols, /*down=*/false, rowScales);
      else
        scales.read(col, row + i, cols, /*down=*/true, rowScales);
      quantizeTileRow<Format>(
          v + i * stride, cols,
          [&](int64_t j) HWY_ATTR { return hn::LoadU(F32(), rowScales + j); },
          codesRow, amax);
    }
    if (outputs.rowwise)
      copyCodes<quantizeTileCols>(outputs.rowwise->row<uint8_t>(row + i) + col,
                                  codesRow, cols);
  }
  outputs.addAmax(hn::GetLane(hn::MaxOfLanes(d32, amax)));

  if (outputs.columnwise) {
    // Rows beyond the tile are undefined, and are not copied.
    HWY_ALIGN CodeTile transposed;
    for (int64_t i = 0; i < rows; i += 16)
      transpose16Rows(codes + i * quantizeTileCols, quantizeTileCols, cols,
                      transposed + i, quantizeTileRows);
    for (int64_t j = 0; j < cols; ++j)
      copyCodes<quantizeTileRows>(outputs.columnwise->row<uint8_t>(col + j) +
                                      row,
                                  transposed + j * quantizeTileRows, rows);
  }
}

/// Quantizes the tile of the f32 result at (row, col). v has `rows` rows (at
/// most quantizeTileRows), `stride` elements apart, of `cols` elements (any
/// number). row is a multiple of quantizeTileRows. Computes only the amax if no
/// copy is requested.
HWY_INLINE void quantizeTile(QuantizedOutputs &outputs, const float *v,
                             int64_t stride, int64_t row, int64_t col,
                             int64_t rows, int64_t cols) {
  hn::Rebind<uint32_t, F32> d32;
  if (!outputs.hasCopies()) {
    auto amax = hn::Zero(d32);
    for (int64_t i = 0; i < rows; ++i)
      forVectors(cols, [&](int64_t j, int64_t count) HWY_ATTR {
        amax = hn::Max(
            amax, hn::And(hn::BitCast(d32, loadF32(v + i * stride + j, count)),
                          hn::Set(d32, 0x7fffffffu)));
      });
    outputs.addAmax(hn::GetLane(hn::MaxOfLanes(d32, amax)));
    return;
  }
  withFp8(outputs.format, [&](auto format) HWY_ATTR {
    for (int64_t j = 0; j < cols; j += quantizeTileCols)
      quantizeTileAs<decltype(format)>(outputs, v + j, stride, row, col + j,
                                       rows,
                                       HWY_MIN(quantizeTileCols, cols - j));
  });
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_QUANTIZE_INL_H
