// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-entropy and its gradient in place for rows of bf16 that fit the shared
// memory of a few multiprocessors, so that logits are read once. A cluster of
// blocks processes a row. Its threads are as many, take the same elements and
// are added in the same order for any number of blocks.
#ifndef TERT_CUDA_KERNELS_RESIDENTCROSSENTROPY_CUH
#define TERT_CUDA_KERNELS_RESIDENTCROSSENTROPY_CUH

#include "cuda/Launch.h"
#include "cuda/kernels/AsyncCopy.cuh"
#include "cuda/kernels/Integers.h"
#include "cuda/kernels/LogSumExp.cuh"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/Vector.cuh"

#include <algorithm>

namespace tert::cuda {

/// Threads per row.
constexpr int residentThreads = 512;
/// Groups of eight that a thread copies together, and the number of these
/// batches in flight before it uses the first.
constexpr int batchGroups = 2, batchesAhead = 4;

struct ResidentCrossEntropy {
  const float *dloss, *count;
  View<Bf16> logits;
  Integers labels;
  int64_t rows, cols, ignoreIndex;
  bool isMean;
  /// Batches of groups per thread, for the longest row.
  int batches;
  float *losses, *loss;
  DataErrorSink errors;
};

/// A row of logits: full groups of eight from a 16-byte boundary on, and the
/// elements before and after them.
struct ResidentRow {
  Bf16 *data;
  int head, groups;

  __device__ ResidentRow(const ResidentCrossEntropy &p, int64_t row)
      : data(p.logits.at(row, 0)),
        head(int(-(reinterpret_cast<uintptr_t>(data) / 2) % 8)),
        groups(int(p.cols - head) / 8) {}

  __device__ Bf16 *group(int index) const {
    return data + head + int64_t(index) * 8;
  }
};

/// GPUs before Hopper have none, and do not run the kernel.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool hasClusters = false;
#else
constexpr bool hasClusters = true;
#endif

/// Waits for all threads of the cluster and makes their writes visible.
template <int blocks> __device__ inline void clusterBarrier() {
  if constexpr (blocks == 1) {
    __syncthreads();
  } else if constexpr (hasClusters) {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  }
}

/// Writes to `to` in the cluster's block `rank`.
template <int blocks>
__device__ inline void storeInCluster(RunningSum &to, const RunningSum &value,
                                      uint32_t rank) {
  if constexpr (blocks == 1) {
    to = value;
  } else if constexpr (hasClusters) {
    uint32_t address = uint32_t(__cvta_generic_to_shared(&to));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(address)
                 : "r"(address), "r"(rank));
    asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(address),
                 "f"(value.highest), "f"(value.sum)
                 : "memory");
  }
}

/// `clusterBlocks` blocks process a row, and clusters take rows round-robin.
/// While a thread writes a row's gradient, it already copies the next row's
/// logits over those it has used. The last block adds the losses.
template <int clusterBlocks>
__global__ void __launch_bounds__(residentThreads / clusterBlocks)
    residentCrossEntropyKernel(const __grid_constant__ ResidentCrossEntropy p,
                               uint32_t *counters) {
  constexpr int threads = residentThreads / clusterBlocks;
  constexpr int rowWarps = residentThreads / 32;
  extern __shared__ __align__(16) uint4 slots[];
  __shared__ __align__(8) RunningSum warpSums[2][rowWarps];
  __shared__ double shared[threads / 32];
  __shared__ bool isLast;
  const uint32_t rank = blockIdx.x % clusterBlocks;
  const int lane = int(rank) * threads + int(threadIdx.x);
  const int64_t clusters = gridDim.x / clusterBlocks;
  const double divisor = p.isMean ? *p.count : 1.0f;
  const float factor = *p.dloss / float(divisor);
  // Calls fn(slot, group) for the thread's groups of a batch.
  auto forBatch = [&](const ResidentRow &row, int batch, const auto &fn) {
#pragma unroll
    for (int j = 0; j < batchGroups; ++j) {
      const int turn = batch * batchGroups + j;
      const int group = turn * residentThreads + lane;
      if (group < row.groups)
        fn(slots[turn * threads + threadIdx.x], row.group(group));
    }
  };
  int64_t aheadRow = blockIdx.x / clusterBlocks;
  int aheadBatch = 0;
  auto copyNextBatch = [&] {
    if (aheadRow < p.rows) {
      forBatch(ResidentRow(p, aheadRow), aheadBatch,
               [](uint4 &slot, const Bf16 *group) { copyAsync(&slot, group); });
      if (++aheadBatch == p.batches) {
        aheadBatch = 0;
        aheadRow += clusters;
      }
    }
    commitCopies();
  };
  for (int i = 0; i < batchesAhead; ++i)
    copyNextBatch();
  // No thread may write to a block's shared memory before the block has begun.
  clusterBarrier<clusterBlocks>();
  int phase = 0;
  for (int64_t i = blockIdx.x / clusterBlocks; i < p.rows; i += clusters) {
    const ResidentRow row(p, i);
    const int64_t label = p.labels[i];
    const bool ignored = label == p.ignoreIndex;
    const bool isBad = !ignored && (label < 0 || label >= p.cols);
    const int64_t tail = row.head + int64_t(row.groups) * 8;
    // Calls fn(first, count) on the threads that own the row's ends.
    auto forEnds = [&](const auto &fn) {
      if (lane == residentThreads - 1 && row.head > 0)
        fn(int64_t(0), row.head);
      if (lane == residentThreads - 2 && tail < p.cols)
        fn(tail, int(p.cols - tail));
    };
    // Read before any thread overwrites it, which happens after the barrier.
    float logit = 0;
    if (lane == 0 && !ignored && !isBad)
      logit = toF32(row.data[label]);
    RunningSum running;
    float v[8];
    for (int batch = 0; batch < p.batches; ++batch) {
      // The row's first batches were started earlier.
      if (batch + batchesAhead < p.batches)
        copyNextBatch();
      else
        commitCopies();
      waitForCopies<batchesAhead>();
      forBatch(row, batch, [&](const uint4 &slot, const Bf16 *) {
        Raw8<Bf16> raw;
        raw.words[0] = slot;
        raw.get(v);
        running.add(v, 8);
      });
    }
    forEnds([&](int64_t first, int count) {
      load8(row.data + first, count, false, v);
      running.add(v, count);
    });
    running.addLanes();
    RunningSum(&sums)[rowWarps] = warpSums[phase];
    phase ^= 1;
    if (threadIdx.x % 32 < clusterBlocks)
      storeInCluster<clusterBlocks>(sums[lane / 32], running, threadIdx.x % 32);
    clusterBarrier<clusterBlocks>();
    running = sums[0];
    for (int warp = 1; warp < rowWarps; ++warp)
      running.add(sums[warp]);
    const float lse = running.lse();
    if (lane == 0) {
      if (isBad)
        p.errors.report(label, i);
      p.losses[i] = ignored ? 0.0f : isBad ? NAN : lse - logit;
    }
    auto gradient = [&](int64_t first) {
      const int64_t at = label - first;
#pragma unroll
      for (int k = 0; k < 8; ++k)
        v[k] = expFlushed(v[k] - lse);
      if (at >= 0 && at < 8)
#pragma unroll
        for (int k = 0; k < 8; ++k)
          v[k] = k == at ? v[k] - 1.0f : v[k];
#pragma unroll
      for (int k = 0; k < 8; ++k)
        v[k] *= factor;
      if (ignored || isBad)
#pragma unroll
        for (int k = 0; k < 8; ++k)
          v[k] = ignored ? 0.0f : NAN;
    };
    for (int batch = 0; batch < p.batches; ++batch) {
      forBatch(row, batch, [&](const uint4 &slot, Bf16 *group) {
        Raw8<Bf16> raw;
        raw.words[0] = slot;
        raw.get(v);
        gradient(group - row.data);
        store8(v, group, 8, true);
      });
      if (batch < batchesAhead)
        copyNextBatch();
    }
    forEnds([&](int64_t first, int count) {
      load8(row.data + first, count, false, v);
      gradient(first);
      store8(v, row.data + first, count, false);
    });
  }
  // No block may exit while others may still write to its shared memory.
  clusterBarrier<clusterBlocks>();
  if (threadIdx.x == 0)
    isLast = isLastOf(counters, gridDim.x);
  __syncthreads();
  if (!isLast)
    return;
  double total = 0;
  for (int64_t i = threadIdx.x; i < p.rows; i += threads)
    total += __ldcg(p.losses + i);
  total = blockReduce(total, Sum(), shared);
  // Both are 0 if all rows are ignored.
  if (threadIdx.x == 0 && divisor != 0)
    *p.loss += float(total / divisor);
}

/// Launches the kernel with clusters of `clusterBlocks` blocks if several
/// blocks of a multiprocessor fit with their shared memory.
template <int clusterBlocks>
bool launchResident(LaunchContext &launch, const char *name,
                    ResidentCrossEntropy p) {
  constexpr int threads = residentThreads / clusterBlocks;
  // Per multiprocessor; fewer do not keep it busy.
  constexpr int64_t minWarps = 10;
  auto *kernel = &residentCrossEntropyKernel<clusterBlocks>;
  const int64_t turns = ceilDiv(p.cols / 8, residentThreads);
  const int64_t batches = ceilDiv(turns, batchGroups);
  const int64_t bytes = batches * batchGroups * threads * sizeof(uint4);
  if (launch.device.major < 9)
    return false;
  if (batches < batchesAhead || bytes > launch.device.maxSharedBytes - 1024)
    return false;
  p.batches = int(batches);
  check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(bytes)),
        name);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = clusterBlocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(clusterBlocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = size_t(bytes);
  config.stream = launch.stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0;
  check(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config), name);
  if (clusters * (residentThreads / 32) <
      minWarps * launch.device.multiprocessors)
    return false;
  config.gridDim =
      dim3(unsigned(std::min<int64_t>(p.rows, clusters)) * clusterBlocks);
  check(cudaLaunchKernelEx(&config, kernel, p, launch.counters), name);
  return true;
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_RESIDENTCROSSENTROPY_CUH
