// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Tile.cuh"

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

/// Producer (Tile.cuh) of rows in the order of `source`.
template <typename T> struct PermutedRows {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = sizeof(T) == 2 ? 8 : 4;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 6;
  struct Raw {
    Raw8<T> row;
    float weight;
  };

  View<T> x;
  RowNumbers source;
  int repeat;
  const float *weights;
  DataErrorSink errors;
  bool aligned = x.aligned;

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t place, int64_t col, int valid, bool whole) const {
    const int number = valid > 0 ? source.data[place] : -1;
    const bool isThere = number >= 0 && number < source.limit;
    Raw raw;
    raw.weight = isThere && weights ? weights[number] : 1.0f;
    if (isThere) {
      raw.row.load(x.at(number / repeat, col), valid, whole);
    } else {
      raw.row = {};
      if (number >= 0) {
        if (col == 0)
          errors.report(number, place);
        raw.weight = NAN;
      }
    }
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t, int,
                          float (&v)[8], float (&)[1][8]) const {
    raw.row.get(v);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] *= raw.weight;
  }
};

/// Columns that a thread sums before it goes on to others: the loads of a row's
/// number are shared by them.
constexpr int groupsInFlight = 2;

/// y[t,:] = sum over j < repeat of x[slot[t · repeat + j], :], times weights.
/// `lanes` threads share a row.
template <typename T>
__global__ void __launch_bounds__(threads)
    sumRowsKernel(View<T> x, RowNumbers slots, int repeat, const float *weights,
                  AnyFloat y, int64_t rows, int64_t cols, int lanes,
                  DataErrorSink errors) {
  const int rowsOfBlock = threads / lanes, lane = threadIdx.x % lanes;
  for (int64_t row = int64_t(blockIdx.x) * rowsOfBlock + threadIdx.x / lanes;
       row < rows; row += int64_t(gridDim.x) * rowsOfBlock)
    for (int64_t col = lane * 8; col < cols;
         col += groupsInFlight * lanes * 8) {
      float sum[groupsInFlight][8] = {};
#pragma unroll 4
      for (int j = 0; j < repeat; ++j) {
        const int64_t number = row * repeat + j;
        const int slot = slots.data[number];
        if (slot == -1)
          continue;
        if (slot < 0 || slot >= slots.limit) {
          if (col == 0)
            errors.report(slot, number);
          for (auto &group : sum)
            for (float &value : group)
              value = NAN;
          continue;
        }
        const float weight = weights ? weights[number] : 1.0f;
        Raw8<T> raw[groupsInFlight];
#pragma unroll
        for (int i = 0; i < groupsInFlight; ++i) {
          const int64_t at = col + i * lanes * 8;
          if (at < cols)
            raw[i].load(x.at(slot, at), int(min(int64_t(8), cols - at)),
                        x.aligned);
        }
#pragma unroll
        for (int i = 0; i < groupsInFlight; ++i) {
          float v[8];
          raw[i].get(v);
#pragma unroll
          for (int k = 0; k < 8; ++k)
            sum[i][k] = fmaf(v[k], weight, sum[i][k]);
        }
      }
#pragma unroll
      for (int i = 0; i < groupsInFlight; ++i) {
        const int64_t at = col + i * lanes * 8;
        if (at < cols)
          y.store(row, at, int(min(int64_t(8), cols - at)), sum[i]);
      }
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
    if (slot != -1 && (slot < 0 || slot >= slots.limit)) {
      if (lane == 0)
        errors.report(slot, row);
      sum = NAN;
    } else if (slot >= 0) {
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

/// Rows of codes, or zeros; a thread moves `Part`s of a row.
template <typename Part>
__global__ void __launch_bounds__(threads)
    takeRowsKernel(const uint8_t *x, int64_t xStride, RowNumbers source,
                   uint8_t *y, int64_t yStride, int64_t rows, int64_t parts,
                   DataErrorSink errors) {
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
       i < rows * parts; i += int64_t(gridDim.x) * threads) {
    const int64_t place = i / parts, part = i % parts;
    const int number = source.data[place];
    if (number >= source.limit && part == 0)
      errors.report(number, place);
    Part value = {};
    if (number >= 0 && number < source.limit)
      value = reinterpret_cast<const Part *>(x + number * xStride)[part];
    reinterpret_cast<Part *>(y + place * yStride)[part] = value;
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

RowNumbers numbersOf(const tert_tensor &tensor, int64_t limit) {
  return {static_cast<const int32_t *>(tensor.data), limit};
}

} // namespace

static const float *dataOf(const tert_tensor *weights) {
  return weights ? static_cast<const float *>(weights->data) : nullptr;
}

void tert::cuda::permute(LaunchContext &launch, const tert_site &site,
                         const tert_tensor &x, const tert_tensor &source,
                         const tert_tensor *weights, const tert_tensor *y,
                         const tert_quantized &quantized, int64_t repeat) {
  const int64_t limit = sizeOf(x, 0) * repeat;
  const TileOutputs outputs =
      tileOutputs(sizeOf(source, 0), sizeOf(x, 1), y, quantized);
  withFloat(dtypeOf(x), [&](auto element) {
    launchTiles(launch, "permutation kernel",
                PermutedRows<decltype(element)>{
                    viewOf<decltype(element)>(x), numbersOf(source, limit),
                    int(repeat), dataOf(weights),
                    numberErrors(launch, site, "source", limit)},
                outputs);
  });
}

void tert::cuda::takeRows(LaunchContext &launch, const tert_site &site,
                          const tert_tensor &x, const tert_tensor &source,
                          const tert_tensor &y) {
  const int64_t rows = sizeOf(y, 0), cols = sizeOf(y, 1), limit = sizeOf(x, 0);
  if (rows == 0 || cols == 0)
    return;
  auto take = [&](auto part) {
    using Part = decltype(part);
    const int64_t parts = cols / int64_t(sizeof(Part));
    takeRowsKernel<Part><<<launchBlocks(launch, rows * parts, threads), threads,
                           0, launch.stream>>>(
        static_cast<const uint8_t *>(x.data), strideOf(x, 0),
        numbersOf(source, limit), static_cast<uint8_t *>(y.data),
        strideOf(y, 0), rows, parts,
        numberErrors(launch, site, "source", limit));
  };
  auto isAligned = [](const tert_tensor &t) {
    return reinterpret_cast<uintptr_t>(t.data) % sizeof(uint4) == 0 &&
           strideOf(t, 0) % int64_t(sizeof(uint4)) == 0;
  };
  if (cols % int64_t(sizeof(uint4)) == 0 && isAligned(x) && isAligned(y))
    take(uint4());
  else
    take(uint8_t());
  checkLaunch("take_rows kernel");
}

void tert::cuda::unpermute(LaunchContext &launch, const tert_site &site,
                           const tert_tensor &x, const tert_tensor &slot,
                           const tert_tensor *weights, const tert_tensor &y,
                           int64_t repeat) {
  const int64_t rows = sizeOf(y, 0), cols = sizeOf(y, 1), limit = sizeOf(x, 0);
  if (rows == 0 || cols == 0)
    return;
  // A power of two, so that rows of few columns share a block.
  int lanes = 8;
  while (lanes < threads && int64_t(lanes) * groupsInFlight * 8 < cols)
    lanes *= 2;
  withFloat(dtypeOf(x), [&](auto element) {
    sumRowsKernel<<<launchBlocks(launch, rows * lanes, threads), threads, 0,
                    launch.stream>>>(
        viewOf<decltype(element)>(x), numbersOf(slot, limit), int(repeat),
        dataOf(weights), anyFloat(y), rows, cols, lanes,
        numberErrors(launch, site, "slot", limit));
  });
  checkLaunch("unpermutation kernel");
}

void tert::cuda::permuteWeightsGrad(
    LaunchContext &launch, const tert_site &site, const tert_tensor &permuted,
    const tert_tensor &slot, const tert_tensor &tokens,
    const tert_tensor &dweights, int64_t repeat) {
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
