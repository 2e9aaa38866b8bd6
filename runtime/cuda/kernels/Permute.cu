// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/Vector.cuh"

#include <cmath>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;

/// Numbers of rows, each below `limit`, or negative for none.
struct RowNumbers {
  const int32_t *data;
  int64_t limit;
};

/// y[i,:] = sum over j < terms of x[numbers[i · terms + j] / repeat, :], times
/// weights, of the numbers (`ofSource`) or their positions. A group of eight
/// columns per thread.
template <typename T>
__global__ void __launch_bounds__(threads)
    sumRowsKernel(View<T> x, RowNumbers numbers, int terms, int repeat,
                  const float *weights, bool ofSource, AnyFloat y, int64_t rows,
                  int64_t cols, DataErrorSink errors) {
  const int64_t groups = ceilDiv(cols, 8);
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
       i < rows * groups; i += int64_t(gridDim.x) * threads) {
    const int64_t row = i / groups, col = i % groups * 8;
    const int valid = int(min(int64_t(8), cols - col));
    float sum[8] = {};
#pragma unroll 4
    for (int j = 0; j < terms; ++j) {
      const int64_t term = row * terms + j;
      const int number = numbers.data[term];
      if (number < 0 && ofSource)
        continue;
      if (number < 0 || number >= numbers.limit) {
        if (col == 0)
          errors.report(number, term);
#pragma unroll
        for (int k = 0; k < 8; ++k)
          sum[k] = NAN;
        continue;
      }
      const float weight =
          weights ? weights[ofSource ? int64_t(number) : term] : 1.0f;
      float v[8];
      load8(x.at(number / repeat, col), valid, x.aligned, v);
#pragma unroll
      for (int k = 0; k < 8; ++k)
        sum[k] = fmaf(v[k], weight, sum[k]);
    }
    y.store(row, col, valid, sum);
  }
}

/// A warp for each row.
__global__ void __launch_bounds__(threads)
    weightsGradKernel(AnyFloat permuted, RowNumbers slots, AnyFloat tokens,
                      int repeat, float *dweights, int64_t rows, int64_t cols,
                      DataErrorSink errors) {
  const int lane = threadIdx.x % 32;
  const int64_t warps = int64_t(gridDim.x) * (threads / 32);
  for (int64_t row = (int64_t(blockIdx.x) * threads + threadIdx.x) / 32;
       row < rows; row += warps) {
    const int slot = slots.data[row];
    float sum = 0;
    if (slot < 0 || slot >= slots.limit) {
      if (lane == 0)
        errors.report(slot, row);
      sum = NAN;
    } else {
      for (int64_t col = lane * 8; col < cols; col += 32 * 8) {
        const int valid = int(min(int64_t(8), cols - col));
        float a[8], b[8];
        permuted.load(slot, col, valid, a);
        tokens.load(row / repeat, col, valid, b);
#pragma unroll
        for (int k = 0; k < 8; ++k)
          sum = fmaf(a[k], b[k], sum);
      }
    }
    sum = warpReduce(sum, Sum());
    if (lane == 0)
      dweights[row] = sum;
  }
}

DataErrorSink numberErrors(LaunchContext &launch, const tert_site &site,
                           const char *name, int64_t limit) {
  return launch.dataErrors.sink(site, [=](int64_t value, int64_t position) {
    return std::string(name) + " " + std::to_string(value) + " at " +
           std::to_string(position) + " is outside of [0, " +
           std::to_string(limit) + ")";
  });
}

void sumRows(LaunchContext &launch, const tert_tensor &x, RowNumbers numbers,
             int64_t terms, int64_t repeat, const tert_tensor *weights,
             bool ofSource, const tert_tensor &y, DataErrorSink errors) {
  const int64_t rows = sizeOf(y, 0), cols = sizeOf(y, 1);
  if (rows == 0 || cols == 0)
    return;
  withFloat(dtypeOf(x), [&](auto element) {
    sumRowsKernel<<<launchBlocks(launch, rows * ceilDiv(cols, 8), threads),
                    threads, 0, launch.stream>>>(
        viewOf<decltype(element)>(x), numbers, int(terms), int(repeat),
        weights ? static_cast<const float *>(weights->data) : nullptr, ofSource,
        anyFloat(y), rows, cols, errors);
  });
  checkLaunch("permutation kernel");
}

RowNumbers numbersOf(const tert_tensor &tensor, int64_t limit) {
  return {static_cast<const int32_t *>(tensor.data), limit};
}

} // namespace

void tert::cuda::permute(LaunchContext &launch, const tert_site &site,
                         const tert_tensor &x, const tert_tensor &source,
                         const tert_tensor *weights, const tert_tensor &y,
                         int64_t repeat) {
  const int64_t limit = sizeOf(x, 0) * repeat;
  sumRows(launch, x, numbersOf(source, limit), /*terms=*/1, repeat, weights,
          /*ofSource=*/true, y, numberErrors(launch, site, "source", limit));
}

void tert::cuda::unpermute(LaunchContext &launch, const tert_site &site,
                           const tert_tensor &x, const tert_tensor &slot,
                           const tert_tensor *weights, const tert_tensor &y,
                           int64_t repeat) {
  const int64_t limit = sizeOf(x, 0);
  sumRows(launch, x, numbersOf(slot, limit), /*terms=*/repeat, /*repeat=*/1,
          weights, /*ofSource=*/false, y,
          numberErrors(launch, site, "slot", limit));
}

void tert::cuda::permuteWeightsGrad(LaunchContext &launch,
                                    const tert_site &site,
                                    const tert_tensor &permuted,
                                    const tert_tensor &slot,
                                    const tert_tensor &tokens,
                                    const tert_tensor &dweights,
                                    int64_t repeat) {
  const int64_t rows = sizeOf(dweights, 0), limit = sizeOf(permuted, 0);
  if (rows == 0)
    return;
  weightsGradKernel<<<launchBlocks(launch, rows * 32, threads), threads, 0,
                      launch.stream>>>(
      anyFloat(permuted), numbersOf(slot, limit), anyFloat(tokens), int(repeat),
      static_cast<float *>(dweights.data), rows, sizeOf(tokens, 1),
      numberErrors(launch, site, "slot", limit));
  checkLaunch("permute_weights_grad kernel");
}
