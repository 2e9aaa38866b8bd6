// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packing and reduction of the scalars of a collective, and the word by which
// the host observes the device's progress.
#ifndef TERT_COLLECTIVES_PEER_SCALARKERNELS_H
#define TERT_COLLECTIVES_PEER_SCALARKERNELS_H

#include "collectives/Communicator.h"

#include <cuda_runtime.h>

namespace tert::peer {

/// Reported by a kernel to the host before a collective begins.
struct Mark {
  /// In device memory: number of collectives begun.
  uint32_t *count;
  /// In page-locked memory: the count above, and the site below.
  volatile uint64_t *word;
  uint32_t site;
};

/// Reports that the collective of `mark.site` begins.
void begin(cudaStream_t stream, const Mark &mark);

/// An empty kernel, as the last node that another stream waits for: in a
/// captured graph, kernels that wait for copies or memory operations begin
/// microseconds late, and all kernels after them some tenths of a microsecond.
void end(cudaStream_t stream);

/// words = maxima, followed by sums; reports that the collective of `mark.site`
/// begins.
void packScalars(cudaStream_t stream, const Mark &mark,
                 const TensorList &maxima, const TensorList &sums,
                 float *words);

/// Reduces the words of all ranks, [ranks, numMaxima + numSums]: max[i]
/// compares the bits of non-negative numbers, sum[i] adds in the ranks' order.
void reduceScalars(cudaStream_t stream, const float *words, int32_t ranks,
                   int32_t numMaxima, int32_t numSums, float *max, float *sum);

/// norm = the root of the sum of all ranks' numbers, added in their order.
void reduceNorm(cudaStream_t stream, const double *all, int32_t ranks,
                float *norm);

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_SCALARKERNELS_H
