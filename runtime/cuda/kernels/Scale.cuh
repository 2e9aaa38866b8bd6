// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales from amaxes, with the semantics of tert_compute_scale.
#ifndef TERT_CUDA_KERNELS_SCALE_CUH
#define TERT_CUDA_KERNELS_SCALE_CUH

#include "tert/types.h"

#include <cfloat>
#include <cmath>

namespace tert::cuda {

/// Largest finite value of `format` times 2^-margin.
inline float targetOf(int32_t format, int32_t margin) {
  return std::ldexp(format == TERT_F8E5M2 ? 57344.0f : 448.0f, -margin);
}

/// Scale that maps an amax, positive and finite, to `target`.
__device__ inline float scaleFor(float target, float amax) {
  float scale = __fdiv_rn(target, amax);
  return isinf(scale) ? FLT_MAX : scale;
}

/// The scale of any amax, of `epsilon` if that is larger; with `powerOfTwo`
/// rounded down to one.
__device__ inline float currentScale(float target, float amax, float epsilon,
                                     bool powerOfTwo) {
  const float given = amax < epsilon ? epsilon : amax;
  float scale = given > 0 && isfinite(given) ? scaleFor(target, given) : 1.0f;
  // Without the bits of the mantissa.
  if (powerOfTwo)
    scale = __uint_as_float(__float_as_uint(scale) & 0x7f800000u);
  return scale;
}

/// currentScale with its parameters, for kernels that make many.
struct ScaleRule {
  float target = 0;
  float epsilon = 0;
  bool powerOfTwo = false;

  __device__ float operator()(float amax) const {
    return currentScale(target, amax, epsilon, powerOfTwo);
  }
};

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_SCALE_CUH
