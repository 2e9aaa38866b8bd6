// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementary functions on vectors of f32, compiled once per SIMD target. NaN
// arguments give NaN. Error bounds in units in the last place, over all f32
// arguments, with fused multiply-add: exp 1, tanh 1.5, sigmoid 2.5, normalCdf 6
// (in the lower tail). The polynomials are minimax fits of relative error.
// Their coefficients were rounded to f32 one by one, lowest power first,
// refitting the others each time.

#if defined(TERT_CPU_VECTORMATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_VECTORMATH_INL_H
#undef TERT_CPU_VECTORMATH_INL_H
#else
#define TERT_CPU_VECTORMATH_INL_H
#endif

#include "cpu/Simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// coefficients[0] + coefficients[1]*x + ...
template <size_t N>
HWY_INLINE VecF32 evaluatePolynomial(VecF32 x, const float (&coefficients)[N]) {
  const F32 d;
  VecF32 sum = hn::Set(d, coefficients[N - 1]);
  for (size_t i = N - 1; i-- > 0;)
    sum = hn::MulAdd(sum, x, hn::Set(d, coefficients[i]));
  return sum;
}

/// 1/x for 2^-120 < |x| < 2^120, within 1 unit in the last place, and for NaN.
/// AVX-512 divides at a fraction of the rate of other operations, but its
/// estimate has 14 bits, and one Newton step doubles them.
HWY_INLINE VecF32 reciprocal(VecF32 x) {
  const VecF32 one = hn::Set(F32(), 1.0f);
#if HWY_TARGET == HWY_AVX3
  const VecF32 estimate = hn::ApproximateReciprocal(x);
  return hn::MulAdd(estimate, hn::NegMulAdd(x, estimate, one), estimate);
#else
  return hn::Div(one, x);
#endif
}

/// e^x = 2^n * p, with `bits` = n plus a multiple of 512, as an integer.
struct ExpParts {
  VecF32 p;
  hn::Vec<hn::RebindToSigned<F32>> bits;
};

HWY_INLINE ExpParts expParts(VecF32 x) {
  const F32 d;
  // p = e^r with r = x - n * ln(2), |r| <= ln(2)/2. ln(2) is subtracted in two
  // parts; the first times n is exact. Adding 1.5 * 2^23 rounds to an integer
  // and leaves it in the low bits.
  static constexpr float coefficients[] = {
      0.49999994f, 0.166665211f, 0.0416682698f, 0.00836867746f, 0.00138204091f};
  const VecF32 magic = hn::Set(d, 0x1.8p23f);
  const VecF32 shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const VecF32 n = hn::Sub(shifted, magic);
  VecF32 r = hn::NegMulAdd(n, hn::Set(d, 0.693145752f), x);
  r = hn::NegMulAdd(n, hn::Set(d, 1.42860677e-6f), r);
  VecF32 p = evaluatePolynomial(r, coefficients);
  p = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0f));
  return {p, hn::BitCast(hn::RebindToSigned<F32>(), shifted)};
}

/// e^x, subnormal results and infinity included.
HWY_INLINE VecF32 exp(VecF32 x) {
  const F32 d;
  const hn::RebindToSigned<F32> di;
  // Beyond these the result is 0 or infinity. A NaN passes both comparisons.
  x = hn::IfThenElse(hn::Lt(x, hn::Set(d, -104.0f)), hn::Set(d, -104.0f), x);
  x = hn::IfThenElse(hn::Gt(x, hn::Set(d, 89.0f)), hn::Set(d, 89.0f), x);
  const ExpParts parts = expParts(x);
  // 2^n in two factors: n may exceed the range of one exponent.
  const auto exponent = hn::Sub(parts.bits, hn::Set(di, 0x4b400000));
  const auto half = hn::ShiftRight<1>(exponent);
  const auto bias = hn::Set(di, 127);
  const VecF32 factor1 = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(half, bias)));
  const VecF32 factor2 =
      hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::Sub(exponent, half), bias)));
  return hn::Mul(hn::Mul(parts.p, factor1), factor2);
}

/// e^x for |x| <= 87, where 2^n is one factor.
HWY_INLINE VecF32 expOfModerate(VecF32 x) {
  const ExpParts parts = expParts(x);
  const auto bias = hn::Set(hn::RebindToSigned<F32>(), 127);
  return hn::Mul(parts.p, hn::BitCast(F32(), hn::ShiftLeft<23>(
                                                 hn::Add(parts.bits, bias))));
}

/// e^x for x <= 87; results below 2^-125 are zero.
HWY_INLINE VecF32 expOrZero(VecF32 x) {
  const F32 d;
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, -87.0f)), hn::Zero(d),
                        expOfModerate(x));
}

/// tanh(x) within 2^-23, and 1.5 units in the last place from |x| = 0.6 on.
HWY_INLINE VecF32 tanhAbsolute(VecF32 x) {
  const F32 d;
  // 1 - 2/(e^2x + 1), which is exactly 1 from 10 on.
  const VecF32 one = hn::Set(d, 1.0f);
  const VecF32 absolute = hn::Abs(x);
  const VecF32 bounded = hn::IfThenElse(hn::Gt(absolute, hn::Set(d, 10.0f)),
                                        hn::Set(d, 10.0f), absolute);
  const VecF32 e = expOfModerate(hn::Add(bounded, bounded));
  return hn::CopySign(
      hn::NegMulAdd(hn::Set(d, 2.0f), reciprocal(hn::Add(e, one)), one), x);
}

HWY_INLINE VecF32 tanh(VecF32 x) {
  const F32 d;
  static constexpr float coefficients[] = {-0.333332986f, 0.133319363f,
                                           -0.0537847169f, 0.0207986254f,
                                           -0.00589796621f};
  const VecF32 square = hn::Mul(x, x);
  const VecF32 small = hn::MulAdd(
      hn::Mul(evaluatePolynomial(square, coefficients), square), x, x);
  return hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, 0.6f)), small,
                        tanhAbsolute(x));
}

/// 1 / (1 + e^-x)
HWY_INLINE VecF32 sigmoid(VecF32 x) {
  const F32 d;
  const VecF32 one = hn::Set(d, 1.0f);
  const VecF32 e = exp(hn::Neg(hn::Abs(x)));
  return hn::Mul(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one),
                 reciprocal(hn::Add(one, e)));
}

/// Cumulative probability of the standard normal distribution, accurate in both
/// tails, and e^(-x²/2), which its density requires.
HWY_INLINE VecF32 normalCdf(VecF32 x, VecF32 &gaussian) {
  const F32 d;
  const VecF32 one = hn::Set(d, 1.0f);
  const VecF32 half = hn::Set(d, 0.5f);
  const VecF32 a = hn::Abs(x);

  // a²/2 = square + rest exactly; e^-rest is 1 - rest. The rest is negligible
  // for arguments whose square overflows.
  const VecF32 halfA = hn::Mul(a, half);
  const VecF32 square = hn::Mul(halfA, a);
  const VecF32 rest = hn::IfThenElseZero(hn::Lt(a, hn::Set(d, 1e18f)),
                                         hn::MulSub(halfA, a, square));
  gaussian = exp(hn::Neg(square));
  gaussian = hn::NegMulAdd(gaussian, rest, gaussian);

  // a < 1: 1/2 + x * Q(x²).
  static constexpr float center[] = {0.398942292f,    -0.0664905384f,
                                     0.00997416396f,  -0.00118802371f,
                                     0.000115023686f, -8.17162527e-06f};
  const VecF32 small =
      hn::MulAdd(evaluatePolynomial(hn::Mul(x, x), center), x, half);

  // cdf(-a) = e^(-a²/2) * t * P(2t - 1), t = 1/(1 + 0.3 a), fitted over
  // [0, 14.5]; cdf(-14.5) is below the smallest f32.
  static constexpr float tail[] = {
      0.221970618f,    0.164579481f,    0.0865494236f,    0.0277603958f,
      0.00181883131f,  -0.00242437329f, -0.000578769599f, 0.000285316026f,
      8.62438319e-05f, -4.71751664e-05f};
  const VecF32 bounded =
      hn::IfThenElse(hn::Gt(a, hn::Set(d, 15.0f)), hn::Set(d, 15.0f), a);
  const VecF32 t = reciprocal(hn::MulAdd(bounded, hn::Set(d, 0.3f), one));
  const VecF32 z = hn::Sub(hn::Add(t, t), one);
  const VecF32 lower =
      hn::Mul(hn::Mul(evaluatePolynomial(z, tail), t), gaussian);
  const VecF32 large =
      hn::IfThenElse(hn::Lt(x, hn::Zero(d)), lower, hn::Sub(one, lower));
  return hn::IfThenElse(hn::Lt(a, one), small, large);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_VECTORMATH_INL_H
