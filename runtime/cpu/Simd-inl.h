// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores between storage types and vectors of f32. Included once per
// instruction set (Highway's foreach_target), hence the unusual guard.
#if defined(TERT_CPU_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_SIMD_INL_H
#undef TERT_CPU_SIMD_INL_H
#else
#define TERT_CPU_SIMD_INL_H
#endif

#include "cpu/Matrix.h"

#include <hwy/highway.h>

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The widest vector of f32, and its number of lanes.
using F32 = hn::ScalableTag<float>;
using VecF32 = hn::Vec<F32>;
HWY_INLINE int64_t lanesF32() { return static_cast<int64_t>(hn::Lanes(F32())); }

//===-- Full vectors ------------------------------------------------------===//

HWY_INLINE VecF32 loadF32(const float *p) { return hn::LoadU(F32(), p); }

HWY_INLINE VecF32 loadF32(const Bf16 *p) {
  hn::Rebind<uint16_t, F32> d16;
  hn::Rebind<uint32_t, F32> d32;
  auto bits = hn::LoadU(d16, reinterpret_cast<const uint16_t *>(p));
  return hn::BitCast(F32(), hn::ShiftLeft<16>(hn::PromoteTo(d32, bits)));
}

HWY_INLINE void storeF32(VecF32 v, float *p) { hn::StoreU(v, F32(), p); }

/// Rounds to nearest even; NaN stays NaN.
HWY_INLINE void storeF32(VecF32 v, Bf16 *p) {
  hn::Rebind<uint16_t, F32> d16;
  hn::Rebind<uint32_t, F32> d32;
  hn::Rebind<int32_t, F32> di32;
  auto bits = hn::BitCast(d32, v);
  auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d32, 1));
  auto rounded =
      hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(d32, 0x7fff)), odd));
  auto quiet = hn::Or(hn::ShiftRight<16>(bits), hn::Set(d32, 0x40));
  auto magnitude = hn::And(bits, hn::Set(d32, 0x7fffffffu));
  auto isNan = hn::Gt(magnitude, hn::Set(d32, 0x7f800000u));
  auto result = hn::BitCast(di32, hn::IfThenElse(isNan, quiet, rounded));
  hn::StoreU(hn::DemoteTo(d16, result), d16, reinterpret_cast<uint16_t *>(p));
}

//===-- The first n lanes, n <= lanesF32() --------------------------------===//

/// Lanes beyond n are zero.
template <typename T> HWY_INLINE VecF32 loadF32(const T *p, int64_t n) {
  if (HWY_LIKELY(n == lanesF32()))
    return loadF32(p);
  T buffer[HWY_MAX_BYTES / sizeof(float)] = {};
  std::memcpy(buffer, p, n * sizeof(T));
  return loadF32(buffer);
}

template <typename T> HWY_INLINE void storeF32(VecF32 v, T *p, int64_t n) {
  if (HWY_LIKELY(n == lanesF32())) {
    storeF32(v, p);
    return;
  }
  T buffer[HWY_MAX_BYTES / sizeof(float)];
  storeF32(v, buffer);
  std::memcpy(p, buffer, n * sizeof(T));
}

/// Calls fn(first, count) for pieces of [0, n) of at most one vector.
template <typename Fn> HWY_INLINE void forVectors(int64_t n, const Fn &fn) {
  int64_t lanes = lanesF32(), i = 0;
  for (; i + lanes <= n; i += lanes)
    fn(i, lanes);
  if (i < n)
    fn(i, n - i);
}

//===-- Rows of either storage type ---------------------------------------===//

/// Calls fn with a pointer of the right type: float * or Bf16 *.
template <typename Fn>
HWY_INLINE void withFloat(tert_dtype dtype, void *p, const Fn &fn) {
  if (dtype == TERT_BF16)
    fn(static_cast<Bf16 *>(p));
  else
    fn(static_cast<float *>(p));
}

/// y[0, n) = x[0, n), as f32.
HWY_INLINE void readRow(tert_dtype dtype, const void *x, float *y, int64_t n) {
  if (dtype == TERT_F32) {
    std::memcpy(y, x, n * sizeof(float));
    return;
  }
  const Bf16 *source = static_cast<const Bf16 *>(x);
  forVectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    storeF32(loadF32(source + i, count), y + i, count);
  });
}

/// y[0, n) = x[0, n), rounded to `dtype`.
HWY_INLINE void writeRow(tert_dtype dtype, const float *x, void *y, int64_t n) {
  if (dtype == TERT_F32) {
    std::memcpy(y, x, n * sizeof(float));
    return;
  }
  Bf16 *target = static_cast<Bf16 *>(y);
  forVectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    storeF32(loadF32(x + i, count), target + i, count);
  });
}

/// Elements [col, col + n) of a row as f32: the row itself if it is f32,
/// otherwise `buffer`, filled.
HWY_INLINE const float *asF32(const Matrix &matrix, int64_t row, int64_t col,
                              int64_t n, float *buffer) {
  const void *source = matrix.address(row, col);
  if (matrix.dtype == TERT_F32)
    return static_cast<const float *>(source);
  readRow(matrix.dtype, source, buffer, n);
  return buffer;
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_SIMD_INL_H
