// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/ColumnSum.h"

#include "cuda/kernels/Elements.cuh"
#include "cuda/kernels/Elementwise.h"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int sumCols = 32;
constexpr int sumRowLanes = 16;

/// Several matrices of partial sums behind each other.
struct PartialSums {
  static constexpr int capacity = 4;
  const float *partials;
  int64_t rows, cols; ///< of each
  AnyFloat results[capacity];
};

/// blockIdx.y: the matrix. Each thread adds every sumRowLanes-th row; the
/// lanes' sums are added in their order.
__global__ void __launch_bounds__(sumCols *sumRowLanes)
    sumPartialsKernel(const __grid_constant__ PartialSums sums) {
  __shared__ float shared[sumRowLanes][sumCols];
  const AnyFloat &y = sums.results[blockIdx.y];
  if (!y)
    return;
  const float *partials = sums.partials + blockIdx.y * sums.rows * sums.cols;
  for (int64_t col0 = int64_t(blockIdx.x) * sumCols; col0 < sums.cols;
       col0 += int64_t(gridDim.x) * sumCols) {
    const int64_t col = col0 + threadIdx.x;
    float sum = 0;
    if (col < sums.cols)
#pragma unroll 8
      for (int64_t i = threadIdx.y; i < sums.rows; i += sumRowLanes)
        sum += partials[i * sums.cols + col];
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && col < sums.cols) {
      for (int lane = 1; lane < sumRowLanes; ++lane)
        sum += shared[lane][threadIdx.x];
      y.set(col, sum);
    }
    __syncthreads();
  }
}

} // namespace

void cuda::sumPartials(LaunchContext &launch, const float *partials,
                       int64_t rows,
                       std::initializer_list<const tert_tensor *> results) {
  PartialSums sums = {partials, rows, 0, {}};
  unsigned count = 0;
  for (const tert_tensor *result : results) {
    if (result)
      sums.cols = sizeOf(*result, 0);
    sums.results[count++] = anyFloat(result);
  }
  if (sums.cols == 0)
    return;
  unsigned blocks =
      unsigned(std::min<int64_t>(ceilDiv(sums.cols, sumCols), 1 << 20));
  sumPartialsKernel<<<dim3(blocks, count), dim3(sumCols, sumRowLanes), 0,
                      launch.stream>>>(sums);
  checkLaunch("kernel that adds partial sums");
}

void cuda::columnSum(LaunchContext &launch, const tert_site &,
                     const tert_tensor &x, const tert_tensor &y) {
  TileOutputs outputs = tileOutputs(sizeOf(x, 0), sizeOf(x, 1), nullptr);
  withFloat(dtypeOf(x), [&](auto element) {
    launchTiles(launch, "column sum kernel",
                Elements<decltype(element), true>(x), outputs, {&y});
  });
}
