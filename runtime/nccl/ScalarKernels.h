// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two sides of an exchange of scalars, and the word by which the host sees
// how far the device has come.
#ifndef TERT_NCCL_SCALARKERNELS_H
#define TERT_NCCL_SCALARKERNELS_H

#include "program/Communicator.h"

#include <cuda_runtime.h>

namespace tert::nccl {

/// What a kernel tells the host before an exchange begins.
struct Mark {
  /// In the device's memory: exchanges begun.
  uint32_t *count;
  /// In page-locked memory: the count above, and the site below.
  volatile uint64_t *word;
  uint32_t site;
};

/// Says that the exchange of `mark.site` begins.
void begin(cudaStream_t stream, const Mark &mark);

/// A kernel that does nothing, as the end of what another stream waits for: in
/// a captured graph kernels that wait for copies or memory operations begin
/// microseconds late, and all those behind them some tenths of one.
void end(cudaStream_t stream);

/// words[i] = maxima[i], and sums[i] behind them; says that the exchange of
/// `mark.site` begins.
void packScalars(cudaStream_t stream, const Mark &mark,
                 const TensorList &maxima, const TensorList &sums,
                 float *words);

/// From the words of all ranks, [ranks, numMaxima + numSums]: max[i] as the
/// bits of numbers that are not negative order them, sum[i] in the ranks'
/// order.
void reduceScalars(cudaStream_t stream, const float *words, int32_t ranks,
                   int32_t numMaxima, int32_t numSums, float *max, float *sum);

/// norm = the root of the sum of all ranks' numbers, in their order.
void reduceNorm(cudaStream_t stream, const double *all, int32_t ranks,
                float *norm);

} // namespace tert::nccl

#endif // TERT_NCCL_SCALARKERNELS_H
