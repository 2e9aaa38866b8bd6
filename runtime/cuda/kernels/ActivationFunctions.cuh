// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The activation kinds: value and derivative in f32, by the formulas of the CPU
// runtime. Exponentials and reciprocals use the special function unit: e^x is
// within (|x| + 2) * 2^-23 of its value, and a result within a few units in the
// last place of the CPU's, 2^-20 of it at most where it is not tiny.
#ifndef TERT_CUDA_KERNELS_ACTIVATIONFUNCTIONS_CUH
#define TERT_CUDA_KERNELS_ACTIVATIONFUNCTIONS_CUH

#include "cuda/kernels/Exp2.cuh"
#include "tert/types.h"

namespace tert::cuda {

__device__ inline float reciprocal(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// tanh(x) within 2^-22 of its value: 1 - 2/(e^2x + 1), which is 1 from 10 on.
/// NaN passes the comparison.
__device__ inline float tanhAbsolute(float x) {
  float a = fabsf(x);
  a = a > 10.0f ? 10.0f : a;
  float t = fmaf(-2.0f, reciprocal(expFlushed(a + a) + 1.0f), 1.0f);
  return copysignf(t, x);
}

__device__ inline float tanhAccurate(float x) {
  float square = x * x;
  float p = -0.00589796621f;
  p = fmaf(p, square, 0.0207986254f);
  p = fmaf(p, square, -0.0537847169f);
  p = fmaf(p, square, 0.133319363f);
  p = fmaf(p, square, -0.333332986f);
  float small = fmaf(p * square, x, x);
  return fabsf(x) < 0.6f ? small : tanhAbsolute(x);
}

/// 1 / (1 + e^-x), accurate in both tails.
__device__ inline float sigmoid(float x) {
  float e = expFlushed(-fabsf(x));
  return (x < 0.0f ? e : 1.0f) * reciprocal(1.0f + e);
}

/// Cumulative probability of the standard normal distribution, accurate in both
/// tails, and e^(-x²/2): cdf(-a) = e^(-a²/2) * t * P(2t - 1), t = 1/(1 + 0.3
/// a).
__device__ inline float normalCdf(float x, float &gaussian) {
  float a = fabsf(x);
  gaussian = expFlushed(-0.5f * a * a);
  float t = reciprocal(fmaf(a > 15.0f ? 15.0f : a, 0.3f, 1.0f));
  float z = t + t - 1.0f;
  float p = -4.71751664e-05f;
  p = fmaf(p, z, 8.62438319e-05f);
  p = fmaf(p, z, 0.000285316026f);
  p = fmaf(p, z, -0.000578769599f);
  p = fmaf(p, z, -0.00242437329f);
  p = fmaf(p, z, 0.00181883131f);
  p = fmaf(p, z, 0.0277603958f);
  p = fmaf(p, z, 0.0865494236f);
  p = fmaf(p, z, 0.164579481f);
  p = fmaf(p, z, 0.221970618f);
  float lower = p * t * gaussian;
  return x < 0.0f ? lower : 1.0f - lower;
}

/// Clamps x to ±10^4. There every tanh and sigmoid has reached its limit, and
/// products with the remaining slope, 0, stay finite.
__device__ inline float bounded(float x) {
  return fabsf(x) > 1e4f ? copysignf(1e4f, x) : x;
}

/// x * cdf(x)
struct GeluErf {
  static __device__ float value(float x) {
    float gaussian;
    return x * normalCdf(x, gaussian);
  }
  static __device__ float derivative(float x) {
    float gaussian;
    float cdf = normalCdf(x, gaussian);
    return fmaf(x, gaussian * 0.398942280f, cdf);
  }
};

/// x/2 * (1 + tanh(u)), u = sqrt(2/pi) * (x + 0.044715 x³)
struct GeluTanh {
  static __device__ float value(float x) {
    float u = x * fmaf(0.0356774081f, x * x, 0.797884561f);
    return x * fmaf(0.5f, tanhAbsolute(u), 0.5f);
  }
  static __device__ float derivative(float x) {
    float square = bounded(x) * bounded(x);
    float t = tanhAbsolute(0.797884561f * x * fmaf(0.044715f, square, 1.0f));
    float slope = fmaf(0.107032224f, square, 0.797884561f);
    float inner = fmaf(-t, t, 1.0f) * slope;
    return fmaf(0.5f * x, inner, 0.5f * (1.0f + t));
  }
};

/// x * sigmoid(1.702 x)
struct QuickGelu {
  static __device__ float value(float x) { return x * sigmoid(1.702f * x); }
  static __device__ float derivative(float x) {
    float u = bounded(1.702f * x), s = sigmoid(u);
    return s * fmaf(u, 1.0f - s, 1.0f);
  }
};

/// max(x, 0); NaN stays NaN.
struct Relu {
  static __device__ float value(float x) { return x <= 0.0f ? 0.0f : x; }
  static __device__ float derivative(float x) { return x > 0.0f ? 1.0f : 0.0f; }
};

struct SquaredRelu {
  static __device__ float value(float x) {
    float positive = Relu::value(x);
    return positive * positive;
  }
  static __device__ float derivative(float x) {
    float positive = Relu::value(x);
    return positive + positive;
  }
};

/// x * sigmoid(x)
struct Silu {
  static __device__ float value(float x) { return x * sigmoid(x); }
  static __device__ float derivative(float x) {
    float s = sigmoid(x);
    return s * fmaf(x, 1.0f - s, 1.0f);
  }
};

struct Sigmoid {
  static __device__ float value(float x) { return sigmoid(x); }
  static __device__ float derivative(float x) {
    float s = sigmoid(-fabsf(x));
    return fmaf(-s, s, s);
  }
};

struct Tanh {
  static __device__ float value(float x) { return tanhAccurate(x); }
  static __device__ float derivative(float x) {
    // 1 - tanh² cancels in the tails.
    float s = sigmoid(-2.0f * fabsf(x));
    return 4.0f * fmaf(-s, s, s);
  }
};

/// Calls fn with the functions of `kind`.
template <typename Fn>
void withActivation(tert_activation_kind kind, const Fn &fn) {
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

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ACTIVATIONFUNCTIONS_CUH
