// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions in an order fixed by the shape of the launch, so that equal runs
// give equal bits.
#ifndef TERT_CUDA_KERNELS_REDUCE_CUH
#define TERT_CUDA_KERNELS_REDUCE_CUH

#include <cstdint>

namespace tert::cuda {

constexpr unsigned wholeWarp = 0xffffffffu;

struct Sum {
  template <typename T> __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Max {
  template <typename T> __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

/// Every lane gets the result.
template <typename T, typename Op>
__device__ inline T warpReduce(T value, Op op) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value = op(value, __shfl_xor_sync(wholeWarp, value, distance));
  return value;
}

/// Every thread gets the result. `shared` has one T per warp. All threads of
/// the block call it; blockDim is a multiple of 32. `op` needs no identity, as
/// all warps have values.
template <typename T, typename Op>
__device__ inline T blockReduce(T value, Op op, T *shared) {
  value = warpReduce(value, op);
  const int numWarps = blockDim.x / 32;
  if (numWarps == 1)
    return value;
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < numWarps; ++warp)
    value = op(value, shared[warp]);
  return value;
}

/// The magnitude |v| as bits: unsigned order is the order of magnitudes, with
/// infinity above every finite value and NaN above infinity, so that a maximum
/// needs no special cases.
__device__ inline uint32_t magnitudeBits(float v) {
  return __float_as_uint(v) & 0x7fffffffu;
}

/// The larger of |a| and |v|; NaN if either is.
__device__ inline float largerMagnitude(float a, float v) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(fabsf(a)), "f"(fabsf(v)));
  return result;
}

/// Returns whether all `count` blocks have called this. One thread of each
/// block calls it, after the block's writes and a __syncthreads(). Resets the
/// counter to zero for the next kernel.
__device__ inline bool isLastOf(uint32_t *counter, uint32_t count) {
  __threadfence();
  bool last = atomicInc(counter, count - 1) == count - 1;
  __threadfence();
  return last;
}

/// Combines the blocks' amaxes; the last of `count` blocks writes the result.
/// One thread per block calls it. counters[0] and [1] are zero before and
/// after.
__device__ inline void finishAmax(uint32_t bits, float *amax,
                                  uint32_t *counters, uint32_t count) {
  if (bits)
    atomicMax(&counters[0], bits);
  if (isLastOf(&counters[1], count))
    *amax = __uint_as_float(atomicExch(&counters[0], 0));
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_REDUCE_CUH
