// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/ScalarKernels.h"

#include "collectives/peer/ScalarTable.cuh"
#include "cuda/Error.h"

using namespace tert;
using namespace tert::peer;

namespace {

__global__ void beginKernel(Mark mark) { reportBegin(mark); }

__global__ void endKernel() {}

__global__ void __launch_bounds__(scalarThreads)
    packKernel(const __grid_constant__ ScalarTable table, float *words,
               Mark mark, bool isFirst) {
  const int i = blockIdx.x * scalarThreads + threadIdx.x;
  if (isFirst && i == 0)
    reportBegin(mark);
  if (i < table.count)
    words[i] = *table.scalars[i];
}

__global__ void __launch_bounds__(scalarThreads)
    reduceKernel(const float *words, int32_t ranks, int32_t numMaxima,
                 int32_t count, float *max, float *sum) {
  const int i = blockIdx.x * scalarThreads + threadIdx.x;
  if (i >= count)
    return;
  auto wordOf = [&](int32_t rank) { return words[int64_t(rank) * count + i]; };
  if (i < numMaxima)
    max[i] = largestOf(ranks, wordOf);
  else
    sum[i - numMaxima] = sumOf(ranks, wordOf);
}

__global__ void normKernel(const double *all, int32_t ranks, float *norm) {
  *norm = normOf(ranks, [&](int32_t rank) { return all[rank]; });
}

} // namespace

void peer::begin(cudaStream_t stream, const Mark &mark) {
  beginKernel<<<1, 1, 0, stream>>>(mark);
  cuda::check(cudaGetLastError(), "kernel before a collective");
}

void peer::end(cudaStream_t stream) {
  endKernel<<<1, 1, 0, stream>>>();
  cuda::check(cudaGetLastError(), "kernel after a collective");
}

void peer::packScalars(cudaStream_t stream, const Mark &mark,
                       const TensorList &maxima, const TensorList &sums,
                       float *words) {
  forEachTable(maxima, sums, [&](const ScalarTable &table, int32_t first) {
    packKernel<<<scalarBlocksFor(table.count), scalarThreads, 0, stream>>>(
        table, words + first, mark, first == 0);
    cuda::check(cudaGetLastError(), "kernel that packs scalars");
  });
}

void peer::reduceScalars(cudaStream_t stream, const float *words, int32_t ranks,
                         int32_t numMaxima, int32_t numSums, float *max,
                         float *sum) {
  const int32_t count = numMaxima + numSums;
  reduceKernel<<<scalarBlocksFor(count), scalarThreads, 0, stream>>>(
      words, ranks, numMaxima, count, max, sum);
  cuda::check(cudaGetLastError(), "kernel that reduces scalars");
}

void peer::reduceNorm(cudaStream_t stream, const double *all, int32_t ranks,
                      float *norm) {
  normKernel<<<1, 1, 0, stream>>>(all, ranks, norm);
  cuda::check(cudaGetLastError(), "kernel that adds up a norm");
}
