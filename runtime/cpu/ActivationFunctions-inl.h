// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The activation kinds: value and derivative on vectors of f32.

#if defined(TERT_CPU_ACTIVATIONFUNCTIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TERT_CPU_ACTIVATIONFUNCTIONS_INL_H
#undef TERT_CPU_ACTIVATIONFUNCTIONS_INL_H
#else
#define TERT_CPU_ACTIVATIONFUNCTIONS_INL_H
#endif

#include "cpu/VectorMath-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Clamps x to ±10^4. There every tanh and sigmoid has reached its limit, and
/// products with the remaining slope, 0, stay finite.
HWY_INLINE VecF32 bounded(VecF32 x) {
  const VecF32 limit = hn::Set(F32(), 1e4f);
  return hn::IfThenElse(hn::Gt(hn::Abs(x), limit), hn::CopySign(limit, x), x);
}

/// x * cdf(x) of the standard normal distribution.
struct GeluErf {
  static HWY_INLINE VecF32 value(VecF32 x) {
    VecF32 gaussian;
    return hn::Mul(x, normalCdf(x, gaussian));
  }
  static HWY_INLINE VecF32 derivative(VecF32 x) {
    VecF32 gaussian;
    VecF32 cdf = normalCdf(x, gaussian);
    // The density is gaussian / sqrt(2 pi).
    VecF32 density = hn::Mul(gaussian, hn::Set(F32(), 0.398942280f));
    return hn::MulAdd(x, density, cdf);
  }
};

/// x/2 * (1 + tanh(u)), u = sqrt(2/pi) * (x + 0.044715 x³). An absolute bound
/// on tanh's error bounds the result's relative error. Value and derivative are
/// evaluated term by term as in Transformer Engine, so that both give the same
/// result where 1 + tanh(u) cancels.
struct GeluTanh {
  static HWY_INLINE VecF32 value(VecF32 x) {
    const F32 d;
    VecF32 half = hn::Set(d, 0.5f);
    VecF32 square = hn::Mul(x, x);
    VecF32 u = hn::Mul(x, hn::MulAdd(hn::Set(d, 0.0356774081f), square,
                                     hn::Set(d, 0.797884561f)));
    return hn::Mul(x, hn::MulAdd(half, tanhAbsolute(u), half));
  }
  static HWY_INLINE VecF32 derivative(VecF32 x) {
    const F32 d;
    VecF32 one = hn::Set(d, 1.0f), half = hn::Set(d, 0.5f);
    VecF32 root = hn::Set(d, 0.797884561f);
    VecF32 square = hn::Mul(bounded(x), bounded(x));
    VecF32 t = tanhAbsolute(hn::Mul(
        hn::Mul(root, x), hn::MulAdd(hn::Set(d, 0.044715f), square, one)));
    VecF32 slope = hn::MulAdd(hn::Set(d, 0.107032224f), square, root);
    VecF32 inner = hn::Mul(hn::NegMulAdd(t, t, one), slope);
    return hn::MulAdd(hn::Mul(half, x), inner, hn::Mul(half, hn::Add(one, t)));
  }
};

/// x * sigmoid(1.702 x)
struct QuickGelu {
  static HWY_INLINE VecF32 value(VecF32 x) {
    return hn::Mul(x, sigmoid(hn::Mul(hn::Set(F32(), 1.702f), x)));
  }
  static HWY_INLINE VecF32 derivative(VecF32 x) {
    VecF32 one = hn::Set(F32(), 1.0f);
    VecF32 u = bounded(hn::Mul(hn::Set(F32(), 1.702f), x));
    VecF32 s = sigmoid(u);
    return hn::Mul(s, hn::MulAdd(u, hn::Sub(one, s), one));
  }
};

/// max(x, 0); NaN stays NaN.
struct Relu {
  static HWY_INLINE VecF32 value(VecF32 x) {
    VecF32 zero = hn::Zero(F32());
    return hn::IfThenElse(hn::Le(x, zero), zero, x);
  }
  static HWY_INLINE VecF32 derivative(VecF32 x) {
    return hn::IfThenElseZero(hn::Gt(x, hn::Zero(F32())), hn::Set(F32(), 1.0f));
  }
};

/// max(x, 0)²
struct SquaredRelu {
  static HWY_INLINE VecF32 value(VecF32 x) {
    VecF32 positive = Relu::value(x);
    return hn::Mul(positive, positive);
  }
  static HWY_INLINE VecF32 derivative(VecF32 x) {
    VecF32 positive = Relu::value(x);
    return hn::Add(positive, positive);
  }
};

/// x * sigmoid(x)
struct Silu {
  static HWY_INLINE VecF32 value(VecF32 x) { return hn::Mul(x, sigmoid(x)); }
  static HWY_INLINE VecF32 derivative(VecF32 x) {
    VecF32 one = hn::Set(F32(), 1.0f);
    VecF32 s = sigmoid(x);
    return hn::Mul(s, hn::MulAdd(x, hn::Sub(one, s), one));
  }
};

struct Sigmoid {
  static HWY_INLINE VecF32 value(VecF32 x) { return sigmoid(x); }
  static HWY_INLINE VecF32 derivative(VecF32 x) {
    // sigmoid(-|x|) is accurate in both tails, and 1 minus it loses nothing.
    VecF32 s = sigmoid(hn::Neg(hn::Abs(x)));
    return hn::NegMulAdd(s, s, s);
  }
};

struct Tanh {
  static HWY_INLINE VecF32 value(VecF32 x) { return tanh(x); }
  static HWY_INLINE VecF32 derivative(VecF32 x) {
    // 4 s (1 - s), s = sigmoid(-2|x|): 1 - tanh² cancels in the tails.
    const VecF32 a = hn::Abs(x);
    const VecF32 s = sigmoid(hn::Neg(hn::Add(a, a)));
    return hn::Mul(hn::Set(F32(), 4.0f), hn::NegMulAdd(s, s, s));
  }
};

/// Calls fn with the functions of `kind`.
template <typename Fn>
HWY_INLINE void withActivation(tert_activation_kind kind, const Fn &fn) {
  switch (kind) {
  case TERT_GELU_ERF:
    return fn(GeluErf());
  case TERT_GELU_TANH:
    return fn(GeluTanh());
  case TERT_QUICK_GELU:
    return fn(QuickGelu());
  case TERT_RELU:
    return fn(Relu());
  case TERT_SQUARED_RELU:
    return fn(SquaredRelu());
  case TERT_SILU:
    return fn(Silu());
  case TERT_SIGMOID:
    return fn(Sigmoid());
  case TERT_TANH:
    return fn(Tanh());
  }
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // TERT_CPU_ACTIVATIONFUNCTIONS_INL_H
