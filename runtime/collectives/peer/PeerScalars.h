// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of scalars among GPUs of one host, each a single kernel: every
// member writes its scalars into the others' memory, and reads theirs from its
// own as they arrive.
#ifndef TERT_COLLECTIVES_PEER_PEERSCALARS_H
#define TERT_COLLECTIVES_PEER_PEERSCALARS_H

#include "collectives/peer/Members.h"
#include "collectives/peer/ScalarKernels.h"

namespace tert::peer {

/// A slot contains a scalar and the number of the collective, written and read
/// as one word, so that a matching number implies a valid scalar. Two sets of
/// slots alternate, so that none is written while it is read: a member begins
/// a collective when it has finished the last one, and sends for the next one
/// only after all members have begun.
class PeerScalars {
public:
  /// Each member provides `bytes` of zeros, aligned to 8. Construct on a thread
  /// bound to the GPU.
  PeerScalars(const Members &members, size_t bytes);
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

  /// Sizes and counters for the kernels.
  struct Slots;

private:
  const Members members;
  const int32_t count;       ///< number of slots for each member
  uint32_t *const exchanges; ///< of each block, in the device's memory
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERSCALARS_H
