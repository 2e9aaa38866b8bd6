// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable counting sort in three launches: rows of each expert in each chunk
// of rows are counted, experts get their places, and a warp for each chunk
// hands these out in order, from behind the rows of the chunks before it.

#include "cuda/kernels/GroupRows.h"

#include "cuda/Ops.h"
#include "cuda/kernels/Loops.h"

#include <cub/block/block_scan.cuh>

// CCCL has its own namespace cuda, so names are qualified below.
using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;
constexpr int scanThreads = 1024;
constexpr int chunkRows = 1024;

struct Counts : Grouping {
  int32_t *counts; ///< [chunks][count]: rows of an expert in a chunk
  int32_t *begins; ///< [count]: the first place of an expert

  __host__ __device__ int32_t chunks() const {
    return (rows + chunkRows - 1) / chunkRows;
  }
  /// Rows of an expert in the chunks before one.
  __device__ int32_t rowsBefore(int32_t expert, int32_t chunk) const {
    int32_t sum = 0;
#pragma unroll 8
    for (int32_t i = 0; i < chunk; ++i)
      sum += counts[int64_t(i) * count + expert];
    return sum;
  }
};

/// Counts, and marks all places as free.
__global__ void __launch_bounds__(threads)
    countKernel(Counts g, DataErrorSink errors) {
  extern __shared__ int32_t counters[];
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x; i < g.places;
       i += int64_t(gridDim.x) * threads)
    g.source[i] = g.groups[i] = -1;
  for (int32_t chunk = blockIdx.x; chunk < g.chunks(); chunk += gridDim.x) {
    for (int32_t e = threadIdx.x; e < g.count; e += threads)
      counters[e] = 0;
    __syncthreads();
    const int32_t end = min(g.rows - chunk * chunkRows, chunkRows);
    for (int32_t i = threadIdx.x; i < end; i += threads) {
      const int32_t row = chunk * chunkRows + i, expert = g.experts[row];
      if (expert >= 0 && expert < g.count) {
        atomicAdd(&counters[expert], 1);
        continue;
      }
      if (errors.record && expert != -1)
        errors.report(expert, row);
      if (g.slot)
        g.slot[row] = -1;
    }
    __syncthreads();
    for (int32_t e = threadIdx.x; e < g.count; e += threads)
      g.counts[int64_t(chunk) * g.count + e] = counters[e];
    __syncthreads();
  }
}

/// One block.
__global__ void __launch_bounds__(scanThreads) beginKernel(Counts g) {
  using Scan = cub::BlockScan<int32_t, scanThreads>;
  __shared__ typename Scan::TempStorage storage;
  int32_t begin = 0;
  for (int32_t base = 0; base < g.count; base += scanThreads) {
    const int32_t expert = base + int32_t(threadIdx.x);
    const int32_t size =
        expert < g.count ? g.rowsBefore(expert, g.chunks()) : 0;
    int32_t place, all;
    Scan(storage).ExclusiveSum(
        (size + g.alignment - 1) / g.alignment * g.alignment, place, all);
    __syncthreads();
    if (expert < g.count)
      g.begins[expert] = begin + place;
    begin += all;
  }
}

/// One warp, for one chunk.
__global__ void __launch_bounds__(32) placeKernel(Counts g) {
  extern __shared__ int32_t next[];
  const int32_t chunk = blockIdx.x, lane = threadIdx.x;
  const int64_t first = int64_t(chunk) * chunkRows + lane;
  // All at once, because each step waits for the one before it.
  constexpr int steps = chunkRows / 32;
  int32_t experts[steps];
#pragma unroll
  for (int i = 0; i < steps; ++i) {
    const int64_t row = first + 32 * i;
    experts[i] = row < g.rows ? g.experts[row] : -1;
    if (experts[i] >= g.count)
      experts[i] = -1;
  }
  const int32_t expertsOfRank = g.count / g.ranks;
  const int32_t placesOfRank = g.places / g.ranks;
  for (int32_t e = lane; e < g.count; e += 32) {
    const int32_t rank = e / expertsOfRank;
    next[e] = rank * placesOfRank + g.begins[e] -
              g.begins[rank * expertsOfRank] + g.rowsBefore(e, chunk);
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < steps; ++i) {
    const int32_t expert = experts[i];
    const bool hasPlace = expert >= 0;
    const uint32_t peers = __match_any_sync(~0u, expert);
    const int32_t before = __popc(peers & ((1u << lane) - 1));
    const int32_t place = hasPlace ? next[expert] + before : 0;
    __syncwarp();
    if (hasPlace) {
      const int64_t row = first + 32 * i;
      if (before == 0)
        next[expert] += __popc(peers);
      const bool hasSpace = place < (expert / expertsOfRank + 1) * placesOfRank;
      if (g.slot)
        g.slot[row] = hasSpace ? place : -1;
      if (hasSpace) {
        g.source[place] = int32_t(row);
        g.groups[place] = expert % expertsOfRank;
      }
    }
    __syncwarp();
  }
}

} // namespace

void tert::cuda::groupRows(LaunchContext &launch, const Grouping &grouping,
                           const DataErrorSink &errors) {
  Counts g = {grouping, nullptr, nullptr};
  if (g.count > maxGroups)
    throw Error(TERT_UNSUPPORTED, "a GPU groups the rows of at most " +
                                      std::to_string(maxGroups) +
                                      " experts, not of " +
                                      std::to_string(g.count));
  g.counts = launch.scratch.take<int32_t>(int64_t(g.chunks()) * g.count);
  g.begins = launch.scratch.take<int32_t>(g.count);
  const size_t bytes = size_t(g.count) * sizeof(int32_t);
  const int64_t items =
      std::max<int64_t>(g.places, int64_t(g.chunks()) * threads);
  countKernel<<<launchBlocks(launch, items, threads), threads, bytes,
                launch.stream>>>(g, errors);
  checkLaunch("group_rows");
  if (g.chunks() == 0)
    return;
  beginKernel<<<1, scanThreads, 0, launch.stream>>>(g);
  checkLaunch("group_rows");
  placeKernel<<<g.chunks(), 32, bytes, launch.stream>>>(g);
  checkLaunch("group_rows");
}

void tert::cuda::groupRows(LaunchContext &launch, const tert_site &site,
                           const tert_tensor &experts,
                           const tert_tensor &source, const tert_tensor &slot,
                           const tert_tensor &groups, int64_t count,
                           int64_t alignment, int64_t ranks) {
  const DataErrorSink errors =
      launch.dataErrors.sink(site, [count](int64_t value, int64_t position) {
        return "expert " + std::to_string(value) + " of row " +
               std::to_string(position) + " is outside of [0, " +
               std::to_string(count) + "), and not -1 for none";
      });
  groupRows(launch,
            {static_cast<const int32_t *>(experts.data),
             static_cast<int32_t *>(source.data),
             static_cast<int32_t *>(slot.data),
             static_cast<int32_t *>(groups.data), int32_t(sizeOf(experts, 0)),
             int32_t(sizeOf(source, 0)), int32_t(count), int32_t(alignment),
             int32_t(ranks)},
            errors);
}
