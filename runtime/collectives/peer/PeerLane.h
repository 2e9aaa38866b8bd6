// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives among GPUs of one host that are enqueued in order.
#ifndef TERT_COLLECTIVES_PEER_PEERLANE_H
#define TERT_COLLECTIVES_PEER_PEERLANE_H

#include "collectives/peer/KernelCollectives.h"
#include "collectives/peer/ScalarKernels.h"
#include "collectives/peer/StreamBarrier.h"
#include "cuda/Stream.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace tert::peer {

/// Memory that members share belongs to a single lane.
class PeerLane {
public:
  /// Zeroed memory that each member provides for each of its lanes.
  static constexpr size_t wordsBytes = size_t(512) << 10;
  static constexpr int64_t stagingBytes = int64_t(4) << 20;

  /// `words` and `staging` are the addresses, in this process, of each member's
  /// memory. Collectives are kernels of `kernelBlocks` thread blocks that wait
  /// for the other members, until *isOver, in page-locked memory, is not 0; or,
  /// if that is 0, copies by copy engines.
  PeerLane(int ordinal, int32_t rank, const std::vector<char *> &words,
           std::vector<char *> staging, int32_t kernelBlocks,
           const volatile uint32_t *isOver);
  ~PeerLane();
  PeerLane(const PeerLane &) = delete;
  PeerLane &operator=(const PeerLane &) = delete;

  /// Reports the begin of a collective without kernels, on a concurrent stream,
  /// because the host's word is slow to write.
  void begin(cudaStream_t stream, const Mark &mark);
  /// Work enqueued after it sees what `adding` does. Every collective without
  /// kernels ends with it.
  void join(cudaStream_t stream);

  /// Address in `half` of the copies for the first of the other members; those
  /// of the next ones follow at `stride`.
  char *copiesOf(int half) const {
    return copies + int64_t(half) * (ranks - 1) * stride;
  }
  int32_t placeOf(int32_t member) const { return member - (member > rank); }
  /// The k-th other member, starting with a different one on each member.
  int32_t other(int32_t k) const { return (rank + 1 + k) % ranks; }

  const int32_t rank, ranks;
  const int32_t kernelBlocks;
  StreamBarrier barrier;
  /// Runs all collectives except those of columns; null with copy engines.
  const std::unique_ptr<KernelCollectives> kernels;
  /// For tensors that are too small or that others cannot access.
  const std::vector<char *> staging;
  const int64_t stride; ///< bytes per half of `copies` and other member
  /// Bytes of each member that fit.
  int64_t stagingLimit() const { return std::min(stagingBytes, stride); }

  /// Runs sums, and other work that need not wait for the collective.
  cuda::Stream adding;
  std::array<cuda::Event, 2> fetched, added;

private:
  /// Fetched data not yet added, double-buffered: one half is added while the
  /// other is fetched.
  char *copies = nullptr;
  cuda::Event begun;
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERLANE_H
