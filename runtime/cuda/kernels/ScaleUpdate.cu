// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Scale.cuh"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int scaleThreads = 128;

__global__ void __launch_bounds__(scaleThreads)
    computeScaleKernel(const float *amaxes, float *scales, float *scaleInvs,
                       int64_t count, float target, float epsilon,
                       bool powerOfTwo) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += int64_t(gridDim.x) * blockDim.x) {
    const float scale = currentScale(target, amaxes[i], epsilon, powerOfTwo);
    scales[i] = scale;
    scaleInvs[i] = __frcp_rn(scale);
  }
}

/// The larger of two amaxes; NaN if either is.
__device__ float largerAmax(float a, float b) {
  return a >= b || isnan(a) ? a : b;
}

/// Addresses of the slots' amaxes; a kernel's parameter.
struct SlotTable {
  static constexpr int capacity = 3072;
  int32_t count;
  const float *amaxes[capacity];
  uint32_t isE5M2[capacity / 32];
};

// A block processes adjacent slots and shifts their windows with several
// threads per slot: each moves every rowLanes-th row of a step.
constexpr int slotLanes = 32;
constexpr int rowLanes = 16;
constexpr int rowsOfThread = 8;

__global__ void __launch_bounds__(slotLanes *rowLanes)
    updateScalesKernel(const __grid_constant__ SlotTable table, float *scales,
                       float *scaleInvs, float *history, int64_t historyStride,
                       int64_t length, int64_t *nonfinite, float targetE4M3,
                       float targetE5M2, bool mostRecent) {
  __shared__ float maxima[rowLanes][slotLanes];
  const int slot = blockIdx.x * slotLanes + threadIdx.x;
  const bool exists = slot < table.count;
  const float amax =
      exists ? largerAmax(history[slot], *table.amaxes[slot]) : 0.0f;
  const bool rolls = exists && isfinite(amax) && amax != 0.0f;

  // Row r becomes the previous row r + 1, the last one the amax. The rows of a
  // step are read before any of them is overwritten.
  constexpr int step = rowLanes * rowsOfThread;
  float largest = amax;
  for (int64_t first = 1; first < length; first += step) {
    float next[rowsOfThread];
#pragma unroll
    for (int i = 0; i < rowsOfThread; ++i) {
      const int64_t row = first + i * rowLanes + threadIdx.y;
      next[i] = amax;
      if (rolls && row + 1 < length)
        next[i] = history[(row + 1) * historyStride + slot];
    }
    // The first old entry leaves the window with this update, but still counts.
    if (rolls && first == 1 && threadIdx.y == 0)
      largest = fmaxf(largest, history[historyStride + slot]);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < rowsOfThread; ++i) {
      const int64_t row = first + i * rowLanes + threadIdx.y;
      largest = fmaxf(largest, next[i]);
      if (rolls && row < length)
        history[row * historyStride + slot] = next[i];
    }
  }
  maxima[threadIdx.y][threadIdx.x] = largest;
  __syncthreads();
  if (threadIdx.y != 0 || !exists)
    return;
  for (int lane = 1; lane < rowLanes; ++lane)
    largest = fmaxf(largest, maxima[lane][threadIdx.x]);
  float scale = scales[slot];
  if (!isfinite(amax)) {
    ++nonfinite[slot];
  } else if (rolls) {
    const float chosen = mostRecent ? amax : largest;
    const bool isE5M2 = table.isE5M2[slot / 32] >> (slot % 32) & 1;
    // A window loaded from elsewhere may contain an infinity.
    if (isfinite(chosen))
      scale = scaleFor(isE5M2 ? targetE5M2 : targetE4M3, chosen);
  }
  history[slot] = 0;
  scales[slot] = scale;
  scaleInvs[slot] = __frcp_rn(scale);
}

__global__ void recordAmaxesKernel(const __grid_constant__ SlotTable table,
                                   float *staged) {
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  if (slot < table.count)
    staged[slot] = largerAmax(staged[slot], *table.amaxes[slot]);
}

} // namespace

void cuda::recordAmaxes(LaunchContext &launch, const tert_site &, int32_t n,
                        const tert_tensor *amaxes, const tert_tensor &history) {
  constexpr int threads = 128;
  SlotTable table;
  for (int32_t first = 0; first < n; first += SlotTable::capacity) {
    table.count = std::min(n - first, SlotTable::capacity);
    for (int32_t i = 0; i < table.count; ++i)
      table.amaxes[i] = static_cast<const float *>(amaxes[first + i].data);
    recordAmaxesKernel<<<(table.count + threads - 1) / threads, threads, 0,
                         launch.stream>>>(
        table, static_cast<float *>(history.data) + first);
    checkLaunch("amax kernel");
  }
}

void cuda::computeScale(LaunchContext &launch, const tert_site &,
                        const tert_tensor &amax, const tert_tensor &scale,
                        const tert_tensor &scaleInv, tert_dtype format,
                        int32_t margin, float epsilon, bool powerOfTwo) {
  const int64_t count = numElements(amax);
  computeScaleKernel<<<launchBlocks(launch, count, scaleThreads), scaleThreads,
                       0, launch.stream>>>(
      static_cast<const float *>(amax.data), static_cast<float *>(scale.data),
      static_cast<float *>(scaleInv.data), count, targetOf(format, margin),
      epsilon, powerOfTwo);
  checkLaunch("scale kernel");
}

void cuda::updateScales(LaunchContext &launch, const tert_site &, int32_t n,
                        const tert_tensor *amaxes, const tert_tensor &scales,
                        const tert_tensor &scaleInvs,
                        const tert_tensor &history,
                        const tert_tensor &nonfinite, const int32_t *formats,
                        tert_amax_algo algo, int32_t margin) {
  SlotTable table;
  for (int32_t first = 0; first < n; first += SlotTable::capacity) {
    table.count = std::min(n - first, SlotTable::capacity);
    std::fill(std::begin(table.isE5M2), std::end(table.isE5M2), 0);
    for (int32_t i = 0; i < table.count; ++i) {
      table.amaxes[i] = static_cast<const float *>(amaxes[first + i].data);
      if (formats[first + i] == TERT_F8E5M2)
        table.isE5M2[i / 32] |= 1u << (i % 32);
    }
    updateScalesKernel<<<(table.count + slotLanes - 1) / slotLanes,
                         dim3(slotLanes, rowLanes), 0, launch.stream>>>(
        table, static_cast<float *>(scales.data) + first,
        static_cast<float *>(scaleInvs.data) + first,
        static_cast<float *>(history.data) + first, strideOf(history, 0),
        sizeOf(history, 0), static_cast<int64_t *>(nonfinite.data) + first,
        targetOf(TERT_F8E4M3, margin), targetOf(TERT_F8E5M2, margin),
        algo == TERT_AMAX_MOST_RECENT);
    checkLaunch("scale update kernel");
  }
}
