// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers shared by kernels for collectives of scalars, with any transport.
#ifndef TERT_COLLECTIVES_PEER_SCALARTABLE_CUH
#define TERT_COLLECTIVES_PEER_SCALARTABLE_CUH

#include "collectives/peer/ScalarKernels.h"

#include <algorithm>

namespace tert::peer {

constexpr int scalarThreads = 128;

constexpr int scalarBlocksFor(int32_t count) {
  return (count + scalarThreads - 1) / scalarThreads;
}

/// Addresses of scalars; a kernel's parameter.
struct ScalarTable {
  /// A multiple of a block's threads, so that tables begin at full blocks.
  static constexpr int capacity = 3072;
  static_assert(capacity % scalarThreads == 0);
  int32_t count;
  const float *scalars[capacity];
};

/// Calls launch(table, first) for tables of all scalars, maxima before sums.
template <typename LaunchFn>
void forEachTable(const TensorList &maxima, const TensorList &sums,
                  const LaunchFn &launch) {
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
    launch(table, first);
  }
}

/// Reports to the host that a collective begins.
inline __device__ void reportBegin(const Mark &mark) {
  // Streams may report concurrently; the host always reads a full word.
  *mark.word = uint64_t(atomicAdd(mark.count, 1u) + 1) << 32 | mark.site;
}

/// The largest value over the ranks, comparing the bits of non-negative
/// numbers. valueOf(rank) is called in the ranks' order.
template <typename ValueFn>
__device__ float largestOf(int32_t ranks, const ValueFn &valueOf) {
  uint32_t largest = 0;
  for (int32_t rank = 0; rank < ranks; ++rank)
    largest = ::max(largest, __float_as_uint(valueOf(rank)) & 0x7fffffffu);
  return __uint_as_float(largest);
}

/// The sum over the ranks, in their order.
template <typename ValueFn>
__device__ float sumOf(int32_t ranks, const ValueFn &valueOf) {
  float total = valueOf(0);
  for (int32_t rank = 1; rank < ranks; ++rank)
    total = __fadd_rn(total, valueOf(rank));
  return total;
}

/// The root of the sum over the ranks, in their order.
template <typename ValueFn>
__device__ float normOf(int32_t ranks, const ValueFn &valueOf) {
  double sum = 0;
  for (int32_t rank = 0; rank < ranks; ++rank)
    sum += valueOf(rank);
  return float(sqrt(sum));
}

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_SCALARTABLE_CUH
