// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TERT_CUDA_KERNELS_EXP2_CUH
#define TERT_CUDA_KERNELS_EXP2_CUH

namespace tert::cuda {

constexpr float log2OfE = 1.44269504f, lnOf2 = 0.693147181f;

/// 2^x in one instruction, within 2 units of the last place; zero for results
/// below the smallest normal number.
__device__ inline float exp2Flushed(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// e^x likewise, for x <= 88.
__device__ inline float expFlushed(float x) { return exp2Flushed(x * log2OfE); }

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_EXP2_CUH
