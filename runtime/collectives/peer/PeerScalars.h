// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of scalars among GPUs of one host, each a single kernel: every
// member writes its scalars into the others' memory, and reads theirs from its
// own as they arrive.
#ifndef TERT_COLLECTIVES_PEER_PEERSCALARS_H
#define TERT_COLLECTIVES_PEER_PEERSCALARS_H

#include "collectives/peer/ScalarKernels.h"

#include <vector>

namespace tert::peer {

/// A slot contains a scalar and the number of the collective, written and read
/// as one word, so that a matching number implies a valid scalar. Two sets of
/// slots alternate, so that none is written while it is read: a member begins
/// a collective when it has finished the last one, and sends for the next one
/// only after all members have begun.
class PeerScalars {
public:
  /// `slots` are the addresses, in this process, of each member's `bytes` of
  /// zeros, aligned to 8. Kernels stop waiting once *isOver, in page-locked
  /// memory, is not 0. Construct on a thread bound to the GPU.
  PeerScalars(int32_t rank, std::vector<char *> slots, size_t bytes,
              const volatile uint32_t *isOver);
  ~PeerScalars();
  PeerScalars(const PeerScalars &) = delete;
  PeerScalars &operator=(const PeerScalars &) = delete;

  /// Maximum number of scalars.
  int32_t capacity() const { return count; }

  /// Has the results of packScalars, an all-gather and reduceScalars. All
  /// members call it with the same numbers of maxima and sums, together at most
  /// capacity().
  void reduce(cudaStream_t stream, const Mark &mark, const TensorList &maxima,
              const TensorList &sums, float *max, float *sum);
  /// norm = the root of the sum of all members' `own`, added in their order.
  void reduceNorm(cudaStream_t stream, const Mark &mark, const double *own,
                  float *norm);

  /// Addresses and sizes for the kernels.
  struct KernelArguments;

private:
  KernelArguments places() const;

  const int32_t rank;
  const std::vector<char *> slots;
  const int32_t count;
  const volatile uint32_t *const isOver;
  uint32_t *exchanges = nullptr; ///< of each block, in the device's memory
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERSCALARS_H
