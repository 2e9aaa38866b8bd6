// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of two f32 tiles in the cache, compiled once per SIMD target.
// Attention multiplies many tiles of about 48 x 64 x 64, for which a BLAS call
// spends half of its time packing data that is packed already.

#if defined(TERT_CPU_TILEMATMUL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_TILEMATMUL_INL_H
#undef TERT_CPU_TILEMATMUL_INL_H
#else
#define TERT_CPU_TILEMATMUL_INL_H
#endif

#include "hwy/highway.h"

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Tile widths are multiples of 16 on every target.
using TileTag = hn::CappedTag<float, 16>;

// As many sums as fit the registers besides one row of b.
#if HWY_TARGET <= HWY_SSE4 && HWY_TARGET > HWY_AVX3
inline constexpr int maxTileVectors = 2;
#else
inline constexpr int maxTileVectors = 4;
#endif
inline constexpr int maxTileRows = 6;

/// A left operand: element (i, k) is data[i * rowStride + k * columnStride], so
/// that a transpose is free.
struct TileOperand {
  const float *data;
  int64_t rowStride;
  int64_t columnStride;
};

template <int rows, int vectors>
HWY_INLINE void multiplyRows(int64_t depth, TileOperand a, const float *b,
                             int64_t ldb, float *c, int64_t ldc,
                             bool accumulate) {
  const TileTag d;
  using V = hn::Vec<TileTag>;
  const int64_t lanes = hn::Lanes(d);
  V sum[rows][vectors];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j)
      sum[i][j] =
          accumulate ? hn::LoadU(d, c + i * ldc + j * lanes) : hn::Zero(d);
  const float *left = a.data;
  for (int64_t k = 0; k < depth; ++k, left += a.columnStride, b += ldb) {
    V right[vectors];
    for (int j = 0; j < vectors; ++j)
      right[j] = hn::LoadU(d, b + j * lanes);
    for (int i = 0; i < rows; ++i) {
      const V value = hn::Set(d, left[i * a.rowStride]);
      for (int j = 0; j < vectors; ++j)
        sum[i][j] = hn::MulAdd(value, right[j], sum[i][j]);
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j)
      hn::StoreU(sum[i][j], d, c + i * ldc + j * lanes);
}

template <int vectors>
HWY_NOINLINE void multiplyColumns(int64_t rows, int64_t depth, TileOperand a,
                                  const float *b, int64_t ldb, float *c,
                                  int64_t ldc, bool accumulate) {
  int64_t i = 0;
  auto leftAt = [&](int64_t row) {
    return TileOperand{a.data + row * a.rowStride, a.rowStride, a.columnStride};
  };
  for (; i + maxTileRows <= rows; i += maxTileRows)
    multiplyRows<maxTileRows, vectors>(depth, leftAt(i), b, ldb, c + i * ldc,
                                       ldc, accumulate);
  for (; i + 4 <= rows; i += 4)
    multiplyRows<4, vectors>(depth, leftAt(i), b, ldb, c + i * ldc, ldc,
                             accumulate);
  for (; i + 2 <= rows; i += 2)
    multiplyRows<2, vectors>(depth, leftAt(i), b, ldb, c + i * ldc, ldc,
                             accumulate);
  for (; i < rows; ++i)
    multiplyRows<1, vectors>(depth, leftAt(i), b, ldb, c + i * ldc, ldc,
                             accumulate);
}

/// c[rows,columns] = a[rows,depth]·b[depth,columns], or += with `accumulate`.
/// `columns` is a multiple of 16. Every sum runs over depth in order.
HWY_INLINE void multiplyTile(int64_t rows, int64_t columns, int64_t depth,
                             TileOperand a, const float *b, int64_t ldb,
                             float *c, int64_t ldc, bool accumulate) {
  const int64_t lanes = hn::Lanes(TileTag());
  int64_t j = 0;
  if constexpr (maxTileVectors == 4)
    for (; j + 4 * lanes <= columns; j += 4 * lanes)
      multiplyColumns<4>(rows, depth, a, b + j, ldb, c + j, ldc, accumulate);
  for (; j + 2 * lanes <= columns; j += 2 * lanes)
    multiplyColumns<2>(rows, depth, a, b + j, ldb, c + j, ldc, accumulate);
  for (; j < columns; j += lanes)
    multiplyColumns<1>(rows, depth, a, b + j, ldb, c + j, ldc, accumulate);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_TILEMATMUL_INL_H
