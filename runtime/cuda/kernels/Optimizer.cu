// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Pieces.h"
#include "cuda/kernels/Reduce.cuh"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int normThreads = 256;

/// Adds the squares of one table. Every block stores a partial sum; the last
/// block of the last table adds all of them in order, and writes the sum or its
/// root.
__global__ void __launch_bounds__(normThreads)
    globalNormKernel(const __grid_constant__ Pieces pieces, double *partials,
                     int64_t before, bool isLastTable, float *norm,
                     double *squares, uint32_t *counters) {
  __shared__ double shared[normThreads / 32];
  __shared__ bool isLast;
  double sum = 0;
  pieces.forEachGroup([&](const float (&v)[8]) {
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sum = fma(double(v[k]), double(v[k]), sum);
  });
  sum = blockReduce(sum, Sum(), shared);
  if (threadIdx.x == 0) {
    partials[before + blockIdx.x] = sum;
    isLast = isLastOf(counters, gridDim.x);
  }
  __syncthreads();
  if (!isLast || !isLastTable)
    return;
  double total = 0;
  for (int64_t i = threadIdx.x; i < before + gridDim.x; i += blockDim.x)
    total += __ldcg(partials + i);
  total = blockReduce(total, Sum(), shared);
  if (threadIdx.x != 0)
    return;
  if (norm)
    *norm = float(sqrt(total));
  else
    *squares = total;
}

/// Addresses of amaxes; a kernel's parameter.
template <int entries> struct AmaxTable {
  static constexpr int capacity = entries;
  int32_t count;
  const float *amaxes[entries];
};

/// A launch after the first checks more amaxes. It changes the previous
/// launches' decision only if it finds one that is not finite.
template <typename Table>
__global__ void __launch_bounds__(normThreads)
    clipCoefficientKernel(const __grid_constant__ Table table, bool isFirst,
                          const float *norm, const float *maxNorm,
                          float *coefficient) {
  bool found = false;
  for (int i = threadIdx.x; i < table.count; i += normThreads)
    found |= !isfinite(*table.amaxes[i]);
  found = __syncthreads_or(found);
  if (threadIdx.x != 0)
    return;
  float total = *norm, limit = *maxNorm;
  if (found || !isfinite(total))
    *coefficient = __int_as_float(0x7fc00000);
  else if (isFirst)
    *coefficient =
        limit > 0 ? fminf(1.0f, __fdiv_rn(limit, total + 1e-6f)) : 1.0f;
}

template <typename Table>
void clipInTables(LaunchContext &launch, const tert_tensor &norm,
                  const tert_tensor &maxNorm, int32_t numAmaxes,
                  const tert_tensor *amaxes, const tert_tensor &coefficient) {
  Table table;
  int32_t first = 0;
  do {
    table.count = std::min(numAmaxes - first, Table::capacity);
    for (int32_t i = 0; i < table.count; ++i)
      table.amaxes[i] = static_cast<const float *>(amaxes[first + i].data);
    clipCoefficientKernel<<<1, normThreads, 0, launch.stream>>>(
        table, first == 0, static_cast<const float *>(norm.data),
        static_cast<const float *>(maxNorm.data),
        static_cast<float *>(coefficient.data));
    checkLaunch("clip coefficient kernel");
    first += table.count;
  } while (first < numAmaxes);
}

__global__ void advanceStepKernel(const float *coefficient, int64_t *step) {
  if (!isnan(*coefficient))
    ++*step;
}

} // namespace

/// Writes the root of the sum of squares to `norm`, or, if that is null, the
/// sum to `squares`.
static void addSquares(LaunchContext &launch, int32_t n,
                       const tert_tensor *tensors, float *norm,
                       double *squares) {
  PieceList list(tensors, n);
  int64_t count = 0;
  for (size_t i = 0; i < list.tables(); ++i)
    count += list.blocks(launch, i);
  double *partials = launch.scratch.take<double>(count);
  int64_t before = 0;
  for (size_t i = 0; i < list.tables(); ++i) {
    globalNormKernel<<<list.blocks(launch, i), normThreads, 0, launch.stream>>>(
        list.table(i), partials, before, i + 1 == list.tables(), norm, squares,
        launch.counters);
    checkLaunch("global norm kernel");
    before += list.blocks(launch, i);
  }
}

void cuda::globalNorm(LaunchContext &launch, const tert_site &, int32_t n,
                      const tert_tensor *gradients, const tert_tensor &norm) {
  addSquares(launch, n, gradients, static_cast<float *>(norm.data), nullptr);
}

void cuda::sumOfSquares(LaunchContext &launch, int32_t n,
                        const tert_tensor *tensors, double *sum) {
  addSquares(launch, n, tensors, nullptr, sum);
}

void cuda::clipCoefficient(LaunchContext &launch, const tert_site &,
                           const tert_tensor &norm, const tert_tensor &maxNorm,
                           int32_t numAmaxes, const tert_tensor *amaxes,
                           const tert_tensor &coefficient) {
  // A kernel's parameters are copied with every launch: a small table if it
  // suffices, otherwise one for as many amaxes as models have.
  constexpr int few = 480, many = 3072;
  if (numAmaxes <= few)
    clipInTables<AmaxTable<few>>(launch, norm, maxNorm, numAmaxes, amaxes,
                                 coefficient);
  else
    clipInTables<AmaxTable<many>>(launch, norm, maxNorm, numAmaxes, amaxes,
                                  coefficient);
}

void cuda::advanceStep(LaunchContext &launch, const tert_site &,
                       const tert_tensor &coefficient,
                       const tert_tensor &step) {
  advanceStepKernel<<<1, 1, 0, launch.stream>>>(
      static_cast<const float *>(coefficient.data),
      static_cast<int64_t *>(step.data));
  checkLaunch("step kernel");
}
