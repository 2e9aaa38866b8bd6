// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers shared by normalizations over the last dimension: rows shared by a
// warp or a block, and gamma.
#ifndef TERT_CUDA_KERNELS_NORMALIZE_CUH
#define TERT_CUDA_KERNELS_NORMALIZE_CUH

#include "cuda/Launch.h"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/Vector.cuh"

#include <algorithm>
#include <type_traits>

namespace tert::cuda {

constexpr int rowThreads = 128;
/// Groups of eight that a thread loads before it uses the first.
constexpr int groupsInFlight = 4;
/// Rows up to this many elements are processed by a warp, longer ones by a
/// block.
constexpr int64_t longestWarpRow = 32 * groupsInFlight * 8;

/// Sum over the `threads` threads (a warp or the block) that share a row.
template <int threads>
__device__ inline float rowSum(float value, float *shared) {
  if constexpr (threads == 32)
    return warpReduce(value, Sum());
  else
    return blockReduce(value, Sum(), shared);
}

/// A thread's groups of a piece of a row that `threads` threads share.
template <typename T, int threads> struct RowPiece {
  static constexpr int64_t length = int64_t(threads) * groupsInFlight * 8;
  Raw8<T> groups[groupsInFlight];

  static __device__ int64_t column(int64_t begin, int group) {
    return begin + (group * threads + threadIdx.x % threads) * 8;
  }
  static __device__ int validAt(int64_t col, int64_t cols) {
    return int(max(int64_t(0), min(int64_t(8), cols - col)));
  }
  __device__ void load(const View<T> &x, int64_t row, int64_t begin,
                       int64_t cols) {
#pragma unroll
    for (int i = 0; i < groupsInFlight; ++i) {
      const int64_t col = column(begin, i);
      groups[i].load(x.at(row, col), validAt(col, cols), x.aligned);
    }
  }
};

__device__ inline void loadGamma(const AnyFloat &gamma, float offset,
                                 int64_t col, int valid, float (&v)[8]) {
  gamma.load(0, col, valid, v);
#pragma unroll
  for (int k = 0; k < 8; ++k)
    v[k] += offset;
}

/// Calls fn with the number of threads that share a row, as a constant, and the
/// number of blocks.
template <typename Fn>
void withRowThreads(const LaunchContext &launch, int64_t rows, int64_t cols,
                    const Fn &fn) {
  auto blocks = [&](int64_t rowsPerBlock) {
    return unsigned(std::clamp<int64_t>(ceilDiv(rows, rowsPerBlock), 1,
                                        32 * launch.device.multiprocessors));
  };
  if (cols <= longestWarpRow)
    fn(std::integral_constant<int, 32>(), blocks(rowThreads / 32));
  else
    fn(std::integral_constant<int, rowThreads>(), blocks(1));
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_NORMALIZE_CUH
