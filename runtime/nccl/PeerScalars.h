// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of scalars among GPUs of one host, each a single kernel: every
// member writes its scalars into the others' memory, and takes theirs out of
// its own as they arrive.
#ifndef TERT_NCCL_PEERSCALARS_H
#define TERT_NCCL_PEERSCALARS_H

#include "nccl/ScalarKernels.h"

#include <vector>

namespace tert::nccl {

/// What comes from others lies in slots of a scalar and the number of the
/// exchange, which are written and read as one word: whoever finds the number
/// has the scalar. Two sets of slots take turns, so that none is written to
/// while it is read: a member comes to an exchange when it is done with the
/// last one, and sends for the one after it only when all have come.
class PeerScalars {
public:
  /// `slots` is where each member's `bytes` of zeros are, as this one sees
  /// them, aligned to 8. Nobody is waited for any longer once *isOver, in
  /// page-locked memory, is not 0. On a thread that is on the GPU.
  PeerScalars(int32_t rank, std::vector<char *> slots, size_t bytes,
              const volatile uint32_t *isOver);
  ~PeerScalars();
  PeerScalars(const PeerScalars &) = delete;
  PeerScalars &operator=(const PeerScalars &) = delete;

  /// How many scalars there is room for.
  int32_t capacity() const { return count; }

  /// As packScalars, an exchange and reduceScalars do it. All members call it
  /// with as many maxima and sums, together at most capacity().
  void reduce(cudaStream_t stream, const Mark &mark, const TensorList &maxima,
              const TensorList &sums, float *max, float *sum);
  /// norm = the root of the sum of what all have at `own`, in their order.
  void reduceNorm(cudaStream_t stream, const Mark &mark, const double *own,
                  float *norm);

  /// What a kernel needs to know of them.
  struct Places;

private:
  Places places() const;

  const int32_t rank;
  const std::vector<char *> slots;
  const int32_t count;
  const volatile uint32_t *const isOver;
  uint32_t *exchanges = nullptr; ///< of each block, in the device's memory
};

} // namespace tert::nccl

#endif // TERT_NCCL_PEERSCALARS_H
