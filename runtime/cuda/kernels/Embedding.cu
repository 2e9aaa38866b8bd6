// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/Embedding.h"

#include "cuda/kernels/Integers.h"
#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/Vector.cuh"

#include <cmath>
#include <cub/device/device_radix_sort.cuh>

// CCCL has a namespace cuda of its own, so names are spelled out below.
using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;

/// A group of eight columns per thread.
template <typename T>
__global__ void __launch_bounds__(threads)
    gatherKernel(Integers ids, View<T> table, int64_t tableRows, AnyFloat y,
                 int64_t rows, int64_t cols, DataErrorSink errors) {
  const int64_t groups = ceilDiv(cols, 8);
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
       i < rows * groups; i += int64_t(gridDim.x) * threads) {
    const int64_t row = i / groups, col = i % groups * 8;
    const int valid = int(min(int64_t(8), cols - col));
    const int64_t id = ids[row];
    float v[8];
    if (id >= 0 && id < tableRows) {
      load8(table.at(id, col), valid, table.aligned, v);
    } else {
      if (col == 0)
        errors.report(id, row);
#pragma unroll
      for (int k = 0; k < 8; ++k)
        v[k] = NAN;
    }
    y.store(row, col, valid, v);
  }
}

/// Ids as keys and their positions; an id outside the table sorts behind all
/// others.
__global__ void keysKernel(Integers ids, int64_t count, int64_t tableRows,
                           uint32_t *keys, uint32_t *positions,
                           DataErrorSink errors) {
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x; i < count;
       i += int64_t(gridDim.x) * threads) {
    const int64_t id = ids[i];
    const bool isGood = id >= 0 && id < tableRows;
    if (!isGood)
      errors.report(id, i);
    keys[i] = uint32_t(isGood ? id : tableRows);
    positions[i] = uint32_t(i);
  }
}

/// Number of keys below `key`.
__device__ inline int64_t lowerBound(const uint32_t *keys, int64_t count,
                                     uint32_t key) {
  int64_t low = 0, high = count;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

constexpr int sumLanes = 8;   // positions that are added side by side
constexpr int sumGroups = 32; // groups of eight columns

/// One row of the table and a piece of its columns per block: each lane adds
/// every sumLanes-th position in order, then the lanes are added in order.
template <typename T>
__global__ void __launch_bounds__(sumLanes *sumGroups)
    sumPositionsKernel(const uint32_t *keys, const uint32_t *positions,
                       int64_t count, View<T> dy, AnyFloat dtable,
                       int64_t tableRows, int64_t cols) {
  __shared__ float shared[sumLanes][8][sumGroups];
  const int64_t pieces = ceilDiv(cols, sumGroups * 8);
  for (int64_t item = blockIdx.x; item < tableRows * pieces;
       item += gridDim.x) {
    const int64_t row = item / pieces;
    const int64_t col = item % pieces * sumGroups * 8 + threadIdx.x * 8;
    const int valid = int(max(int64_t(0), min(int64_t(8), cols - col)));
    const int64_t begin = lowerBound(keys, count, uint32_t(row));
    const int64_t end =
        begin + lowerBound(keys + begin, count - begin, uint32_t(row) + 1);
    float sum[8] = {};
#pragma unroll 4
    for (int64_t i = begin + threadIdx.y; i < end; i += sumLanes) {
      float v[8];
      load8(dy.at(positions[i], col), valid, dy.aligned, v);
#pragma unroll
      for (int k = 0; k < 8; ++k)
        sum[k] += v[k];
    }
    // Most rows have few positions: then there is nothing to combine.
    if (end - begin > 1) {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        shared[threadIdx.y][k][threadIdx.x] = sum[k];
      __syncthreads();
      if (threadIdx.y == 0)
        for (int lane = 1; lane < sumLanes; ++lane)
#pragma unroll
          for (int k = 0; k < 8; ++k)
            sum[k] += shared[lane][k][threadIdx.x];
      __syncthreads();
    }
    if (threadIdx.y == 0)
      dtable.store(row, col, valid, sum);
  }
}

DataErrorSink idErrors(LaunchContext &launch, const tert_site &site,
                       int64_t tableRows) {
  return launch.dataErrors.sink(site, [=](int64_t id, int64_t position) {
    return "token id " + std::to_string(id) + " at position " +
           std::to_string(position) + " is outside the table's [0, " +
           std::to_string(tableRows) + "): check the tokenizer and the data";
  });
}

} // namespace

void tert::cuda::embedding(LaunchContext &launch, const tert_site &site,
                           const tert_tensor &ids, const tert_tensor &table,
                           const tert_tensor &y) {
  const int64_t rows = sizeOf(y, 0), cols = sizeOf(y, 1);
  if (rows == 0)
    return;
  DataErrorSink errors = idErrors(launch, site, sizeOf(table, 0));
  withFloat(dtypeOf(table), [&](auto element) {
    gatherKernel<<<launchBlocks(launch, rows * ceilDiv(cols, 8), threads),
                   threads, 0, launch.stream>>>(
        Integers(ids), viewOf<decltype(element)>(table), sizeOf(table, 0),
        anyFloat(y), rows, cols, errors);
  });
  checkLaunch("embedding kernel");
}

void tert::cuda::embeddingGrad(LaunchContext &launch, const tert_site &site,
                               const tert_tensor &ids, const tert_tensor &dy,
                               const tert_tensor &dtable) {
  const int64_t count = sizeOf(dy, 0);
  const int64_t tableRows = sizeOf(dtable, 0), cols = sizeOf(dtable, 1);
  if (count > INT32_MAX || tableRows >= INT32_MAX)
    throw Error(TERT_UNSUPPORTED,
                "takes fewer than 2^31 ids and table rows on this device");
  uint32_t *buffers[4];
  for (uint32_t *&buffer : buffers)
    buffer = launch.scratch.take<uint32_t>(count);
  DataErrorSink errors = idErrors(launch, site, tableRows);
  if (count > 0) {
    keysKernel<<<launchBlocks(launch, count, threads), threads, 0,
                 launch.stream>>>(Integers(ids), count, tableRows, buffers[0],
                                  buffers[1], errors);
    checkLaunch("embedding keys kernel");
    int bits = 1;
    while (bits < 32 && tableRows >> bits)
      ++bits;
    // A stable sort: equal ids keep the order of their positions.
    size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, buffers[0],
                                          buffers[2], buffers[1], buffers[3],
                                          int(count), 0, bits, launch.stream),
          "sorting ids");
    void *temporary = launch.scratch.take(int64_t(bytes));
    check(cub::DeviceRadixSort::SortPairs(temporary, bytes, buffers[0],
                                          buffers[2], buffers[1], buffers[3],
                                          int(count), 0, bits, launch.stream),
          "sorting ids");
  }
  if (tableRows == 0 || cols == 0)
    return;
  const int64_t items = tableRows * ceilDiv(cols, sumGroups * 8);
  withFloat(dtypeOf(dy), [&](auto element) {
    sumPositionsKernel<<<launchBlocks(launch, items, 1),
                         dim3(sumGroups, sumLanes), 0, launch.stream>>>(
        buffers[2], buffers[3], count, viewOf<decltype(element)>(dy),
        anyFloat(dtable), tableRows, cols);
  });
  checkLaunch("embedding gradient kernel");
}
