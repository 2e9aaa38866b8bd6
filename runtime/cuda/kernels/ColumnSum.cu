// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/ColumnSum.h"

#include "cuda/kernels/Elementwise.h"
#include "cuda/kernels/Tile.cuh"

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
#pragma unroll 4
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

/// Contributes itself to the sum.
template <typename T> struct Summand {
  static constexpr int numSums = 1;
  static constexpr int rowsInFlight = sizeof(T) == 2 ? 8 : 4;
  static constexpr int minBlocks = 6;
  using Raw = Raw8<T>;

  View<T> x;
  bool aligned;

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.load(x.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t, int,
                          float (&)[8], float (&sums)[1][8]) const {
    raw.get(sums[0]);
  }
};

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
  TileOutputs outputs = tileOutputs(sizeOf(x, 0), sizeOf(x, 1), nullptr,
                                    nullptr, nullptr, nullptr, nullptr);
  withFloat(dtypeOf(x), [&](auto element) {
    View<decltype(element)> view = viewOf<decltype(element)>(x);
    launchTiles(launch, "column sum kernel",
                Summand<decltype(element)>{view, view.aligned}, outputs, {&y});
  });
}
