// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/Vector.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;

/// Calls fn(difference[8], row, col, valid) for the block's groups of eight of
/// x - target.
template <typename Fn>
__device__ inline void forEachDifference(const AnyFloat &x,
                                         const AnyFloat &target, int64_t rows,
                                         int64_t cols, const Fn &fn) {
  const int64_t groups = ceilDiv(cols, 8);
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
       i < rows * groups; i += int64_t(gridDim.x) * threads) {
    const int64_t row = rows == 1 ? 0 : i / groups;
    const int64_t col = (i - row * groups) * 8;
    const int valid = int(min(int64_t(8), cols - col));
    float v[8], t[8];
    x.load(row, col, valid, v);
    target.load(row, col, valid, t);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] -= t[k];
    fn(v, row, col, valid);
  }
}

/// One sum per block; the last block adds them.
__global__ void __launch_bounds__(threads)
    squaredErrorKernel(AnyFloat x, AnyFloat target, int64_t rows, int64_t cols,
                       double divisor, double *partials, float *loss,
                       uint32_t *counters) {
  __shared__ double shared[threads / 32];
  __shared__ bool isLast;
  double sum = 0;
  forEachDifference(x, target, rows, cols,
                    [&](const float (&v)[8], int64_t, int64_t, int valid) {
#pragma unroll
                      for (int k = 0; k < 8; ++k)
                        if (k < valid)
                          sum += double(v[k] * v[k]);
                    });
  sum = blockReduce(sum, Sum(), shared);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    isLast = isLastOf(counters, gridDim.x);
  }
  __syncthreads();
  if (!isLast)
    return;
  double total = 0;
  for (int64_t i = threadIdx.x; i < gridDim.x; i += threads)
    total += __ldcg(partials + i);
  total = blockReduce(total, Sum(), shared);
  if (threadIdx.x == 0)
    *loss = float(total / divisor);
}

__global__ void __launch_bounds__(threads)
    squaredErrorGradKernel(const float *dloss, AnyFloat x, AnyFloat target,
                           AnyFloat dx, int64_t rows, int64_t cols,
                           double divisor) {
  const float factor = float(2.0 * *dloss / divisor);
  forEachDifference(
      x, target, rows, cols,
      [&](const float (&v)[8], int64_t row, int64_t col, int valid) {
        float result[8];
#pragma unroll
        for (int k = 0; k < 8; ++k)
          result[k] = v[k] * factor;
        dx.store(row, col, valid, result);
      });
}

/// Divisor of the sum; 1 if there are no elements, whose sum is 0.
double divisorOf(int64_t rows, int64_t cols, tert_reduction reduction) {
  return reduction == TERT_MEAN ? std::max(1.0, double(rows) * double(cols))
                                : 1.0;
}

/// Number of blocks for one thread per group.
unsigned blocksFor(const LaunchContext &launch, int64_t rows, int64_t cols) {
  return launchBlocks(launch, rows * ceilDiv(cols, 8), threads);
}

} // namespace

void cuda::squaredError(LaunchContext &launch, const tert_site &,
                        const tert_tensor &x, const tert_tensor &target,
                        const tert_tensor &loss, tert_reduction reduction) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  const unsigned blocks = blocksFor(launch, rows, cols);
  squaredErrorKernel<<<blocks, threads, 0, launch.stream>>>(
      anyFloat(x), anyFloat(target), rows, cols,
      divisorOf(rows, cols, reduction), launch.scratch.take<double>(blocks),
      static_cast<float *>(loss.data), launch.counters);
  checkLaunch("squared error kernel");
}

void cuda::squaredErrorGrad(LaunchContext &launch, const tert_site &,
                            const tert_tensor &dloss, const tert_tensor &x,
                            const tert_tensor &target, const tert_tensor &dx,
                            tert_reduction reduction) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  if (rows * cols == 0)
    return;
  squaredErrorGradKernel<<<blocksFor(launch, rows, cols), threads, 0,
                           launch.stream>>>(
      static_cast<const float *>(dloss.data), anyFloat(x), anyFloat(target),
      anyFloat(dx), rows, cols, divisorOf(rows, cols, reduction));
  checkLaunch("squared error gradient kernel");
}
