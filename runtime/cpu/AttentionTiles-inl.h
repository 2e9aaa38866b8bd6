// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packing of queries, keys and values for tile products.

#if defined(TERT_CPU_ATTENTIONTILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_ATTENTIONTILES_INL_H
#undef TERT_CPU_ATTENTIONTILES_INL_H
#else
#define TERT_CPU_ATTENTIONTILES_INL_H
#endif

#include "cpu/AttentionTiles.h"
#include "cpu/Simd-inl.h"
#include "cpu/TileMatmul-inl.h"
#include "cpu/VectorMath-inl.h"

#include <hwy/cache_control.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

HWY_INLINE void scaleRow(float *row, int64_t n, float factor) {
  const VecF32 scale = hn::Set(F32(), factor);
  forVectors(n, [&](int64_t j, int64_t count) HWY_ATTR {
    storeF32(hn::Mul(loadF32(row + j, count), scale), row + j, count);
  });
}

/// Rows of one head are too far apart for the hardware to prefetch them.
HWY_INLINE void prefetchRow(const HeadRows &rows, int64_t row, int64_t count,
                            const AttentionShape &shape) {
  constexpr int64_t distance = 12;
  if (row + distance >= count)
    return;
  const char *data = static_cast<const char *>(rows.row(row + distance));
  for (int64_t byte = 0; byte < shape.headDim * bytesOf(rows.dtype); byte += 64)
    hwy::Prefetch(data + byte);
}

/// packed [count, paddedDim] = rows [first, first + count), zero beyond the
/// head dimension.
HWY_INLINE void packRows(const HeadRows &rows, int64_t first, int64_t count,
                         const AttentionShape &shape, float *packed) {
  for (int64_t i = 0; i < count; ++i, packed += shape.paddedDim) {
    prefetchRow(rows, first + i, first + count, shape);
    readRow(rows.dtype, rows.row(first + i), packed, shape.headDim);
    std::fill(packed + shape.headDim, packed + shape.paddedDim, 0.0f);
  }
}

/// Writes packed [count, paddedDim], times `factor`, to rows
/// [first, first + count). Changes `packed`.
HWY_INLINE void unpackRows(float *packed, float factor, const HeadRows &rows,
                           int64_t first, int64_t count,
                           const AttentionShape &shape) {
  for (int64_t i = 0; i < count; ++i, packed += shape.paddedDim) {
    prefetchRow(rows, first + i, first + count, shape);
    if (factor != 1.0f)
      scaleRow(packed, shape.headDim, factor);
    writeRow(rows.dtype, packed, rows.row(first + i), shape.headDim);
  }
}

/// Writes the transpose of packed [keys, paddedDim] to panels
/// [keys / keyPanel][paddedDim][keyPanel], panel by panel, zero beyond the last
/// key.
HWY_INLINE void packPanels(const float *packed, int64_t keys,
                           const AttentionShape &shape, float *panels) {
  const hn::FixedTag<float, 4> d;
  const int64_t stride = shape.paddedDim;
  const int64_t whole = keys / 4 * 4;
  auto panelAt = [&](int64_t key) {
    return panels + key / keyPanel * keyPanel * stride + key % keyPanel;
  };
  for (int64_t key = 0; key < whole; key += 4) {
    const float *from = packed + key * stride;
    float *to = panelAt(key);
    for (int64_t j = 0; j < stride; j += 4) {
      auto a = hn::LoadU(d, from + j), b = hn::LoadU(d, from + j + stride);
      auto c = hn::LoadU(d, from + j + 2 * stride),
           e = hn::LoadU(d, from + j + 3 * stride);
      auto ac0 = hn::InterleaveLower(d, a, c),
           be0 = hn::InterleaveLower(d, b, e);
      auto ac1 = hn::InterleaveUpper(d, a, c),
           be1 = hn::InterleaveUpper(d, b, e);
      float *column = to + j * keyPanel;
      hn::StoreU(hn::InterleaveLower(d, ac0, be0), d, column);
      hn::StoreU(hn::InterleaveUpper(d, ac0, be0), d, column + keyPanel);
      hn::StoreU(hn::InterleaveLower(d, ac1, be1), d, column + 2 * keyPanel);
      hn::StoreU(hn::InterleaveUpper(d, ac1, be1), d, column + 3 * keyPanel);
    }
  }
  const int64_t padded = ceilDiv(keys, keyPanel) * keyPanel;
  for (int64_t key = whole; key < padded; ++key)
    for (int64_t j = 0; j < stride; ++j)
      panelAt(key)[j * keyPanel] = key < keys ? packed[key * stride + j] : 0.0f;
}

/// scores [rows, scoreStride] = a·panelsᵀ for the first `keys` keys, rounded up
/// to whole vectors.
HWY_INLINE void multiplyPanels(const float *a, int64_t rows,
                               const float *panels, int64_t keys,
                               const AttentionShape &shape, float *scores) {
  for (int64_t key = 0; key < keys; key += keyPanel) {
    const int64_t cols =
        std::min(keyPanel, ceilDiv(keys - key, tileLanes) * tileLanes);
    multiplyTile(rows, cols, shape.paddedDim, {a, shape.paddedDim, 1},
                 panels + key * shape.paddedDim, keyPanel, scores + key,
                 scoreStride, /*accumulate=*/false);
  }
}

/// Applies the softcap, the bias and the window to the scaled scores of a query
/// and keys [key, key + visible). If `slopes` is given, it receives the
/// softcap's derivatives.
HWY_INLINE void adjustScores(float *scores, int64_t visible,
                             const AttentionShape &shape,
                             const ScoreOperands &operands, int64_t batch,
                             int64_t head, int64_t query, int64_t key,
                             float *slopes = nullptr) {
  const F32 d;
  if (shape.softcap != 0.0f) {
    const VecF32 cap = hn::Set(d, shape.softcap);
    forVectors(visible, [&](int64_t j, int64_t) HWY_ATTR {
      const VecF32 t = tanh(hn::Div(loadF32(scores + j), cap));
      storeF32(hn::Mul(cap, t), scores + j);
      if (slopes)
        storeF32(hn::NegMulAdd(t, t, hn::Set(d, 1.0f)), slopes + j);
    });
  }
  if (operands.bias)
    withFloat(dtypeOf(*operands.bias),
              ScoreOperands::at(*operands.bias, batch, head, query, key),
              [&](const auto *row) HWY_ATTR {
                forVectors(visible, [&](int64_t j, int64_t count) HWY_ATTR {
                  storeF32(
                      hn::Add(loadF32(scores + j), loadF32(row + j, count)),
                      scores + j);
                });
              });
  const int64_t hidden =
      std::clamp<int64_t>(shape.firstKey(query) - key, 0, visible);
  std::fill_n(scores, hidden, -std::numeric_limits<float>::infinity());
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_ATTENTIONTILES_INL_H
