// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers shared by normalizations over the last dimension.

#if defined(TERT_CPU_NORMALIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_NORMALIZE_INL_H
#undef TERT_CPU_NORMALIZE_INL_H
#else
#define TERT_CPU_NORMALIZE_INL_H
#endif

#include "cpu/Simd-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Sum over [0, n) of value(first, count), whose lanes beyond count are zero.
/// Four independent sums, so that an addition does not wait for the previous
/// one.
template <typename Fn> HWY_INLINE float sumOf(int64_t n, const Fn &value) {
  VecF32 sums[4] = {hn::Zero(F32()), hn::Zero(F32()), hn::Zero(F32()),
                    hn::Zero(F32())};
  const int64_t lanes = lanesF32();
  int64_t j = 0;
  for (; j + 4 * lanes <= n; j += 4 * lanes)
    for (int chain = 0; chain < 4; ++chain)
      sums[chain] = hn::Add(sums[chain], value(j + chain * lanes, lanes));
  for (; j < n; j += lanes)
    sums[0] = hn::Add(sums[0], value(j, std::min(lanes, n - j)));
  VecF32 sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  return hn::GetLane(hn::SumOfLanes(F32(), sum));
}

HWY_INLINE VecF32 onlyFirst(VecF32 v, int64_t count) {
  return hn::IfThenElseZero(hn::FirstN(F32(), count), v);
}

/// gamma as f32; 1 is added to it if stored zero-centered.
inline void readGamma(const Matrix &gamma, bool zeroCentered, float *result) {
  readRow(gamma.dtype, gamma.data, result, gamma.cols);
  if (zeroCentered)
    forVectors(gamma.cols, [&](int64_t j, int64_t count) HWY_ATTR {
      storeF32(hn::Add(loadF32(result + j, count), hn::Set(F32(), 1.0f)),
               result + j, count);
    });
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_NORMALIZE_INL_H
