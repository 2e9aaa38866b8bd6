// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges among GPUs of one host that are enqueued one behind the other.
#ifndef TERT_NCCL_PEERLANE_H
#define TERT_NCCL_PEERLANE_H

#include "cuda/Stream.h"
#include "nccl/Meeting.h"
#include "nccl/QuickExchange.h"
#include "nccl/ScalarKernels.h"

#include <array>
#include <memory>
#include <vector>

namespace tert::nccl {

/// What members of a lane share is of that lane alone.
class PeerLane {
public:
  enum class Kind {
    WithComputation,     ///< on all multiprocessors
    BesideByCopyEngines, ///< what is much
    BesideByKernels,     ///< what is little
  };
  /// What a member provides for each of its lanes: zeros.
  static constexpr size_t wordsBytes = size_t(512) << 10;
  static constexpr int64_t stagingBytes = int64_t(4) << 20;

  /// `words` and `staging` are where each member's are, as this one sees them.
  /// Whether kernels `mayWait` is the same on all members; nobody is waited for
  /// by one any longer once *isOver, in page-locked memory, is not 0.
  PeerLane(int ordinal, int32_t rank, const std::vector<char *> &words,
           std::vector<char *> staging, Kind kind, bool mayWait,
           const volatile uint32_t *isOver);
  ~PeerLane();
  PeerLane(const PeerLane &) = delete;
  PeerLane &operator=(const PeerLane &) = delete;

  /// Says that an exchange begins which is not of `quick`, beside it: the
  /// host's word is far away.
  void begin(cudaStream_t stream, const Mark &mark);
  /// What is enqueued behind it sees what was added; every such exchange ends
  /// with it.
  void join(cudaStream_t stream);

  /// Where what was fetched of a member lies in `half` of the copies: at a
  /// stride from that of the member before it.
  char *copiesOf(int half) const {
    return copies + int64_t(half) * (ranks - 1) * stride;
  }
  int32_t placeOf(int32_t member) const { return member - (member > rank); }
  /// The k-th of the others, each member in another order.
  int32_t other(int32_t k) const { return (rank + 1 + k) % ranks; }

  const int32_t rank, ranks;
  const bool isBeside;
  Meeting meeting;
  /// What carries all of its exchanges but those of columns; null by copy
  /// engines, and where kernels may not wait.
  const std::unique_ptr<QuickExchange> quick;
  /// For what is too small, or lies where others do not see it.
  const std::vector<char *> staging;
  const int64_t stride; ///< bytes of each half for each of the other members

  /// Sums, and what else need not wait for the exchange.
  cuda::Stream adding;
  std::array<cuda::Event, 2> fetched, added;

private:
  /// What has been fetched and not been added yet, in two halves that take
  /// turns: one is added up while the other is fetched.
  char *copies = nullptr;
  cuda::Event begun;
};

} // namespace tert::nccl

#endif // TERT_NCCL_PEERLANE_H
