// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes probabilities and gradients from scores and their cotangents, row by
// row.

#if defined(TERT_CPU_ATTENTIONGRADTILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_ATTENTIONGRADTILES_INL_H
#undef TERT_CPU_ATTENTIONGRADTILES_INL_H
#else
#define TERT_CPU_ATTENTIONGRADTILES_INL_H
#endif

#include "cpu/AttentionTiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Computes delta of `count` queries from rows [first, first + count) of o.
HWY_INLINE void computeDelta(const float *dO, const HeadRows &o, int64_t first,
                             int64_t count, const AttentionShape &shape,
                             float *buffer, float *delta) {
  for (int64_t i = 0; i < count; ++i) {
    packRows(o, first + i, 1, shape, buffer);
    VecF32 sum = hn::Zero(F32());
    forVectors(shape.paddedDim, [&](int64_t j, int64_t lanes) HWY_ATTR {
      sum = hn::MulAdd(loadF32(dO + i * shape.paddedDim + j, lanes),
                       loadF32(buffer + j, lanes), sum);
    });
    delta[i] = hn::GetLane(hn::SumOfLanes(F32(), sum));
  }
}

/// Replaces scores[0, visible) by P and dP[0, visible) by dS, both zero up to
/// `keys`. With `slopes`, dS is the gradient of the scores before their
/// softcap.
HWY_INLINE void scoreGradRow(float *scores, float *dP, int64_t visible,
                             int64_t keys, float lse, float delta,
                             const float *slopes = nullptr) {
  const F32 d;
  forVectors(visible, [&](int64_t j, int64_t count) HWY_ATTR {
    VecF32 p = expOrZero(hn::Sub(loadF32(scores + j), hn::Set(d, lse)));
    VecF32 dS = hn::Mul(p, hn::Sub(loadF32(dP + j), hn::Set(d, delta)));
    if (slopes)
      dS = hn::Mul(dS, loadF32(slopes + j));
    if (count < lanesF32()) {
      const auto mask = hn::FirstN(d, count);
      p = hn::IfThenElseZero(mask, p);
      dS = hn::IfThenElseZero(mask, dS);
    }
    storeF32(p, scores + j);
    storeF32(dS, dP + j);
  });
  const int64_t written = ceilDiv(visible, lanesF32()) * lanesF32();
  std::fill(scores + written, scores + std::max(written, keys), 0.0f);
  std::fill(dP + written, dP + std::max(written, keys), 0.0f);
}

/// Number of keys in [key, key + keys) for which the gradient of a query's
/// scores is computed: none if it attends to no key at all.
HWY_INLINE int64_t visibleWithGradient(const AttentionShape &shape,
                                       int64_t query, int64_t key, int64_t keys,
                                       float lse) {
  if (shape.hides && lse == -std::numeric_limits<float>::infinity())
    return 0;
  return std::clamp<int64_t>(shape.visibleKeys(query) - key, 0, keys);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_ATTENTIONGRADTILES_INL_H
