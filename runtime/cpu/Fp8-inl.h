// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion between vectors of f32 and FP8 codes, exact for every input.
//
// E4M3FN has 3 bits of mantissa and an exponent bias of 7, E5M2 2 and 15; f32
// has 23 and 127. A normal result is the f32 pattern, rounded to even at the
// last bit of the FP8 mantissa and shifted down, with the difference of the
// biases subtracted from the exponent. A subnormal result is an integer
// multiple of the smallest subnormal; adding the power of two whose last place
// equals it rounds to it. NaN becomes 0x7f, as on NVIDIA's hardware.
#if defined(TERT_CPU_FP8_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_FP8_INL_H
#undef TERT_CPU_FP8_INL_H
#else
#define TERT_CPU_FP8_INL_H
#endif

#include "cpu/Simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

template <int mantissaBits, int bias, uint32_t maxCode> struct Fp8Format {
  static constexpr int shift = 23 - mantissaBits;
  static constexpr uint32_t rebias = uint32_t(127 - bias) << 23;
  /// f32 pattern of the largest finite value.
  static constexpr uint32_t maxBits = (maxCode << shift) + rebias;
  /// f32 pattern of the smallest normal value.
  static constexpr uint32_t minNormalBits = (1u << 23) + rebias;
  /// f32 pattern of 2^23 times the smallest subnormal value.
  static constexpr uint32_t roundingBits =
      uint32_t(127 + 1 - bias - mantissaBits + 23) << 23;

  using Codes = hn::Vec<hn::Rebind<uint32_t, F32>>;

  /// One code per 32-bit lane.
  static HWY_INLINE Codes encode(VecF32 v) {
    hn::Rebind<uint32_t, F32> d32;
    auto bits = hn::BitCast(d32, v);
    auto magnitude = hn::And(bits, hn::Set(d32, 0x7fffffffu));
    auto sign = hn::And(hn::ShiftRight<24>(bits), hn::Set(d32, 0x80u));
    auto clamped = hn::Min(magnitude, hn::Set(d32, maxBits));

    auto odd = hn::And(hn::ShiftRight<shift>(clamped), hn::Set(d32, 1));
    constexpr uint32_t half = (1u << (shift - 1)) - 1;
    auto normal = hn::ShiftRight<shift>(
        hn::Add(hn::Add(clamped, hn::Set(d32, half - rebias)), odd));

    auto rounding = hn::Set(d32, roundingBits);
    auto sum =
        hn::Add(hn::BitCast(F32(), clamped), hn::BitCast(F32(), rounding));
    auto subnormal = hn::Sub(hn::BitCast(d32, sum), rounding);

    auto isSubnormal = hn::Lt(clamped, hn::Set(d32, minNormalBits));
    auto code = hn::Or(hn::IfThenElse(isSubnormal, subnormal, normal), sign);
    auto isNan = hn::Gt(magnitude, hn::Set(d32, 0x7f800000u));
    return hn::IfThenElse(isNan, hn::Set(d32, 0x7fu), code);
  }
};

struct E4M3 : Fp8Format<3, 7, 0x7e> {
  static HWY_INLINE VecF32 decode(hn::Vec<hn::Rebind<uint8_t, F32>> codes) {
    // Read as an f16, the pattern has 2^-8 of the value, subnormals included;
    // only NaN needs f16's own exponent.
    hn::Rebind<uint16_t, F32> d16;
    auto wide = hn::PromoteTo(d16, codes);
    auto magnitude = hn::And(wide, hn::Set(d16, 0x7f));
    auto sign = hn::ShiftLeft<8>(hn::Xor(wide, magnitude));
    auto half = hn::Or(hn::ShiftLeft<7>(magnitude), sign);
    auto nan = hn::IfThenElseZero(hn::Eq(magnitude, hn::Set(d16, 0x7f)),
                                  hn::Set(d16, 0x7c00));
    hn::Rebind<hwy::float16_t, F32> dHalf;
    return hn::Mul(hn::PromoteTo(F32(), hn::BitCast(dHalf, hn::Or(half, nan))),
                   hn::Set(F32(), 256.0f));
  }
};

struct E5M2 : Fp8Format<2, 15, 0x7b> {
  static HWY_INLINE VecF32 decode(hn::Vec<hn::Rebind<uint8_t, F32>> codes) {
    // The upper byte of an f16.
    hn::Rebind<uint16_t, F32> d16;
    hn::Rebind<hwy::float16_t, F32> dHalf;
    auto half = hn::ShiftLeft<8>(hn::PromoteTo(d16, codes));
    return hn::PromoteTo(F32(), hn::BitCast(dHalf, half));
  }
};

/// Calls fn with the format of `dtype`: E4M3() or E5M2().
template <typename Fn> HWY_INLINE void withFp8(tert_dtype dtype, const Fn &fn) {
  if (dtype == TERT_F8E5M2)
    fn(E5M2());
  else
    fn(E4M3());
}

/// Stores the codes of v to p[0, lanesF32()).
template <typename Format> HWY_INLINE void storeFp8(VecF32 v, uint8_t *p) {
  hn::Rebind<int32_t, F32> di32;
  hn::Rebind<uint8_t, F32> d8;
  hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di32, Format::encode(v))), d8, p);
}

template <typename Format> HWY_INLINE VecF32 loadFp8(const uint8_t *p) {
  hn::Rebind<uint8_t, F32> d8;
  return Format::decode(hn::LoadU(d8, p));
}

/// y[0, n) = x[0, n) * factor.
template <typename Format>
HWY_INLINE void decodeRow(const uint8_t *x, float *y, int64_t n, float factor) {
  auto scale = hn::Set(F32(), factor);
  int64_t lanes = lanesF32(), i = 0;
  for (; i + lanes <= n; i += lanes)
    storeF32(hn::Mul(loadFp8<Format>(x + i), scale), y + i);
  if (i < n) {
    uint8_t buffer[HWY_MAX_BYTES] = {};
    std::memcpy(buffer, x + i, n - i);
    storeF32(hn::Mul(loadFp8<Format>(buffer), scale), y + i, n - i);
  }
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_FP8_INL_H
