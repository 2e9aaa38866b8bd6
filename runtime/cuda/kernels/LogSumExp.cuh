// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of a row's sum of exponentials, in one pass. The threads' results are
// combined in an order that depends on the row's length alone.
#ifndef TERT_CUDA_KERNELS_LOGSUMEXP_CUH
#define TERT_CUDA_KERNELS_LOGSUMEXP_CUH

#include "cuda/kernels/Exp2.cuh"
#include "cuda/kernels/Reduce.cuh"

#include <cmath>

namespace tert::cuda {

/// The maximum and the sum of e^(x - maximum) of the elements so far.
struct RunningSum {
  float highest = -INFINITY, sum = 0;

  /// Adds the first `valid` of eight elements.
  __device__ void add(const float (&v)[8], int valid) {
    const float before = highest;
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (k < valid)
        highest = fmaxf(highest, v[k]);
    // Only -infinity so far: the sum is 0, not NaN.
    const float shift = highest == -INFINITY ? 0.0f : highest;
    sum *= expFlushed(before - shift);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (k < valid)
        sum += expFlushed(v[k] - shift);
  }

  __device__ void add(const RunningSum &other) {
    const float before = highest;
    highest = fmaxf(highest, other.highest);
    const float shift = highest == -INFINITY ? 0.0f : highest;
    sum = fmaf(sum, expFlushed(before - shift),
               other.sum * expFlushed(other.highest - shift));
  }

  /// Combines the lanes of a warp, all of which call it and have lane 0's
  /// result. The other lanes' own sums may differ in the last bit, as each
  /// begins with its own.
  __device__ void addLanes() {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
      add({__shfl_xor_sync(wholeWarp, highest, distance),
           __shfl_xor_sync(wholeWarp, sum, distance)});
    highest = __shfl_sync(wholeWarp, highest, 0);
    sum = __shfl_sync(wholeWarp, sum, 0);
  }

  __device__ float lse() const {
    const float shift = highest == -INFINITY ? 0.0f : highest;
    return shift + logf(sum);
  }
};

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_LOGSUMEXP_CUH
