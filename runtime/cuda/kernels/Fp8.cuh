// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts to and from FP8 by hardware instructions, which have the semantics of
// tert/ops.h: round to nearest even, saturate, NaN to 0x7f.
#ifndef TERT_CUDA_KERNELS_FP8_CUH
#define TERT_CUDA_KERNELS_FP8_CUH

#include <cuda_fp8.h>

#include <cstdint>

namespace tert::cuda {

/// Codes of eight values times `scale`, the first in the lowest byte. The
/// multiplication is not contracted with the computation of v, which would
/// round differently.
template <__nv_fp8_interpretation_t format>
__device__ inline uint2 encode8(const float (&v)[8], float scale) {
  uint32_t pairs[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    pairs[i] = __nv_cvt_float2_to_fp8x2(
        make_float2(__fmul_rn(v[2 * i], scale), __fmul_rn(v[2 * i + 1], scale)),
        __NV_SATFINITE, format);
  return make_uint2(pairs[0] | pairs[1] << 16, pairs[2] | pairs[3] << 16);
}

__device__ inline uint2 encode8(const float (&v)[8], float scale, bool isE5M2) {
  return isE5M2 ? encode8<__NV_E5M2>(v, scale) : encode8<__NV_E4M3>(v, scale);
}

/// Codes of eight values, each times its own scale.
__device__ inline uint2 encode8(const float (&v)[8], const float (&scales)[8],
                                bool isE5M2) {
  float scaled[8];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    scaled[k] = __fmul_rn(v[k], scales[k]);
  return encode8(scaled, 1.0f, isE5M2);
}

__device__ inline float decode(uint8_t code, bool isE5M2) {
  __half_raw half =
      __nv_cvt_fp8_to_halfraw(code, isE5M2 ? __NV_E5M2 : __NV_E4M3);
  return __half2float(__half(half));
}

/// Transposes 4 x 4 bytes.
__device__ inline void transpose4(uint32_t a, uint32_t b, uint32_t c,
                                  uint32_t d, uint32_t (&columns)[4]) {
  uint32_t ab0 = __byte_perm(a, b, 0x5140), ab1 = __byte_perm(a, b, 0x7362);
  uint32_t cd0 = __byte_perm(c, d, 0x5140), cd1 = __byte_perm(c, d, 0x7362);
  columns[0] = __byte_perm(ab0, cd0, 0x5410);
  columns[1] = __byte_perm(ab0, cd0, 0x7632);
  columns[2] = __byte_perm(ab1, cd1, 0x5410);
  columns[3] = __byte_perm(ab1, cd1, 0x7632);
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_FP8_CUH
