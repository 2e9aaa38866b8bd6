// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nccl/ScalarKernels.h"

#include "cuda/Error.h"

#include <algorithm>

using namespace tert;
using namespace tert::nccl;

namespace {

constexpr int threads = 128;

/// Where scalars lie; a kernel's parameter.
struct ScalarTable {
  static constexpr int capacity = 3072;
  int32_t count;
  const float *scalars[capacity];
};

__device__ void tell(const Mark &mark) {
  // Streams may tell at the same time; the host only ever sees a whole word.
  *mark.word = uint64_t(atomicAdd(mark.count, 1u) + 1) << 32 | mark.site;
  __threadfence_system();
}

__global__ void beginKernel(Mark mark) { tell(mark); }

__global__ void __launch_bounds__(threads)
    packKernel(const __grid_constant__ ScalarTable table, float *words,
               Mark mark, bool isFirst) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (isFirst && i == 0)
    tell(mark);
  if (i < table.count)
    words[i] = *table.scalars[i];
}

__global__ void __launch_bounds__(threads)
    reduceKernel(const float *words, int32_t ranks, int32_t numMaxima,
                 int32_t count, float *max, float *sum) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= count)
    return;
  if (i < numMaxima) {
    uint32_t largest = 0;
    for (int32_t rank = 0; rank < ranks; ++rank)
      largest =
          ::max(largest, __float_as_uint(words[int64_t(rank) * count + i]) &
                             0x7fffffffu);
    max[i] = __uint_as_float(largest);
    return;
  }
  float total = words[i];
  for (int32_t rank = 1; rank < ranks; ++rank)
    total = __fadd_rn(total, words[int64_t(rank) * count + i]);
  sum[i - numMaxima] = total;
}

__global__ void normKernel(const double *all, int32_t ranks, float *norm) {
  double sum = 0;
  for (int32_t rank = 0; rank < ranks; ++rank)
    sum += all[rank];
  *norm = float(sqrt(sum));
}

int blocksFor(int32_t count) { return (count + threads - 1) / threads; }

} // namespace

void nccl::begin(cudaStream_t stream, const Mark &mark) {
  beginKernel<<<1, 1, 0, stream>>>(mark);
  cuda::check(cudaGetLastError(), "kernel before an exchange");
}

void nccl::packScalars(cudaStream_t stream, const Mark &mark,
                       const TensorList &maxima, const TensorList &sums,
                       float *words) {
  const int32_t numMaxima = maxima.size(), count = numMaxima + sums.size();
  ScalarTable table;
  for (int32_t first = 0; first < count; first += ScalarTable::capacity) {
    table.count = std::min(count - first, ScalarTable::capacity);
    for (int32_t i = 0; i < table.count; ++i) {
      const int32_t scalar = first + i;
      table.scalars[i] = static_cast<const float *>(
          scalar < numMaxima ? maxima[scalar].data
                             : sums[scalar - numMaxima].data);
    }
    packKernel<<<blocksFor(table.count), threads, 0, stream>>>(
        table, words + first, mark, first == 0);
    cuda::check(cudaGetLastError(), "kernel that packs scalars");
  }
}

void nccl::reduceScalars(cudaStream_t stream, const float *words, int32_t ranks,
                         int32_t numMaxima, int32_t numSums, float *max,
                         float *sum) {
  const int32_t count = numMaxima + numSums;
  reduceKernel<<<blocksFor(count), threads, 0, stream>>>(
      words, ranks, numMaxima, count, max, sum);
  cuda::check(cudaGetLastError(), "kernel that reduces scalars");
}

void nccl::reduceNorm(cudaStream_t stream, const double *all, int32_t ranks,
                      float *norm) {
  normKernel<<<1, 1, 0, stream>>>(all, ranks, norm);
  cuda::check(cudaGetLastError(), "kernel that adds up a norm");
}
