// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/ColumnSum.h"

#include "cuda/Ops.h"
#include "cuda/kernels/Elements.cuh"
#include "cuda/kernels/Elementwise.h"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int sumCols = 32;
constexpr int sumRowLanes = 16;

/// Several consecutive matrices of partial sums.
struct PartialSums {
  static constexpr int capacity = 4;
  const float *partials;
  int64_t rows, cols; ///< of each
  AnyFloat results[capacity];
};

/// blockIdx.y is the matrix. Each thread adds every sumRowLanes-th row; the
/// lanes' sums are added in order.
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

/// For few rows, partial sums would be as large as the matrix: each thread sums
/// eight columns instead.
constexpr int64_t fewRows = 64;
constexpr int wideThreads = 256;
/// Fewer columns give too few loads in flight.
constexpr int64_t minWideCols = int64_t(8) * wideThreads * 132;

template <typename T>
__global__ void __launch_bounds__(wideThreads)
    wideSumKernel(const __grid_constant__ View<T> x, int64_t rows, int64_t cols,
                  const __grid_constant__ AnyFloat y) {
  const int64_t step = int64_t(gridDim.x) * wideThreads * 8;
  for (int64_t col = (int64_t(blockIdx.x) * wideThreads + threadIdx.x) * 8;
       col < cols; col += step) {
    const int valid = int(min(int64_t(8), cols - col));
    float sums[8] = {};
#pragma unroll 8
    for (int64_t row = 0; row < rows; ++row) {
      float v[8];
      load8(x.at(row, col), valid, x.aligned, v);
#pragma unroll
      for (int k = 0; k < 8; ++k)
        sums[k] += v[k];
    }
    y.store(0, col, valid, sums);
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
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  if (rows <= fewRows && cols >= minWideCols) {
    const auto blocks = unsigned(
        std::min<int64_t>(ceilDiv(cols, int64_t(8) * wideThreads), 1 << 16));
    withFloat(dtypeOf(x), [&](auto element) {
      wideSumKernel<<<blocks, wideThreads, 0, launch.stream>>>(
          viewOf<decltype(element)>(x), rows, cols, anyFloat(y));
    });
    return checkLaunch("kernel that adds up few rows");
  }
  TileOutputs outputs = tileOutputs(rows, cols, nullptr);
  withFloat(dtypeOf(x), [&](auto element) {
    launchTiles(launch, "column sum kernel",
                Elements<decltype(element), true>(x), outputs, {&y});
  });
}
