// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives among GPUs of one host that run entirely on multiprocessors:
// thread blocks wait for the other members, read their data, and return only
// after all members have finished reading.
#ifndef TERT_COLLECTIVES_PEER_KERNELCOLLECTIVES_H
#define TERT_COLLECTIVES_PEER_KERNELCOLLECTIVES_H

#include "collectives/peer/Members.h"
#include "collectives/peer/PeerKernels.h"
#include "collectives/peer/ScalarKernels.h"

#include <vector>

namespace tert::peer {

/// A barrier of two kernels takes some 3 µs; one of memory operations takes 10,
/// and 40 beside a kernel that saturates memory. But waiting thread blocks
/// occupy multiprocessors: not for members that are far apart in time, or that
/// share a GPU.
class KernelCollectives {
public:
  /// Size of the zeroed memory that each member provides.
  static constexpr size_t bytesFor(int32_t ranks) {
    return size_t(ranks) * sizeof(uint32_t);
  }

  /// Construct on a thread bound to the GPU.
  explicit KernelCollectives(const Members &members);
  ~KernelCollectives();
  KernelCollectives(const KernelCollectives &) = delete;
  KernelCollectives &operator=(const KernelCollectives &) = delete;

  /// The next kernel reports the begin of a collective.
  void begin(const Mark &mark) { pendingMark = mark; }

  // All members call these in the same order, on one stream at a time, each
  // with any number of thread blocks. A collective reads what others wrote
  // before theirs, and not what they write after it. No member writes memory
  // that another one reads.

  void copy(cudaStream_t stream, const std::vector<Copied> &copies,
            int32_t maxBlocks);
  /// Adds in the order of the members, in float32, rounded once.
  void add(cudaStream_t stream, const std::vector<Summed> &sums,
           int32_t maxBlocks);

private:
  const Members members;
  /// In device memory: the number of barriers so far, and of thread blocks of a
  /// kernel that have done their work.
  uint32_t *const counters;
  Mark pendingMark = {};
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_KERNELCOLLECTIVES_H
