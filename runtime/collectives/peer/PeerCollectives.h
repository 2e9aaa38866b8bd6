// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives among GPUs of one host. Each member reads the data it needs from
// the others' memory, and sums in the order of the members. Large transfers
// beside the computation use copy engines, leaving the multiprocessors to it;
// small ones, and those without a concurrent computation, use kernels.
#ifndef TERT_COLLECTIVES_PEER_PEERCOLLECTIVES_H
#define TERT_COLLECTIVES_PEER_PEERCOLLECTIVES_H

#include "collectives/peer/AbortFlag.h"
#include "collectives/peer/Mechanisms.h"
#include "collectives/peer/PeerLane.h"
#include "collectives/peer/PeerMemory.h"
#include "collectives/peer/PeerScalars.h"
#include "cuda/CommunicatorLibrary.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tert::peer {

class PeerCollectives {
public:
  /// Collective over the group. Null if members cannot access each other's
  /// memory.
  static std::unique_ptr<PeerCollectives>
  connect(const Group &group, const cuda::CommunicatorResources &place,
          const Store &store, const Mechanisms &mechanisms);
  ~PeerCollectives();
  PeerCollectives(const PeerCollectives &) = delete;
  PeerCollectives &operator=(const PeerCollectives &) = delete;

  enum LaneIndex { InOrder, Concurrent, ConcurrentSmall };

  /// The lane, beside the computation, for a call; each lane is in order.
  LaneIndex laneOf(const Collective &collective) const;

  /// Like Communicator::run, enqueued on `stream`. Returns false without any
  /// effect, on all members alike, if a large tensor is in memory that others
  /// cannot access. `mark` as in begin().
  bool run(LaneIndex lane, cudaStream_t stream, const tert_site &site,
           const Mark &mark, const Collective &collective);

  // Like those of PeerScalars. They return false without any effect beyond its
  // capacity.
  bool reduceScalars(cudaStream_t stream, const Mark &mark,
                     const TensorList &maxima, const TensorList &sums,
                     float *max, float *sum);
  bool reduceNorm(cudaStream_t stream, const Mark &mark, const double *own,
                  float *norm);

  /// Stops waiting for other members. May be called from any thread.
  void abort() noexcept;

private:
  PeerCollectives(const Group &group, const cuda::CommunicatorResources &place,
                  const Store &store, const Mechanisms &mechanisms);
  /// Returns whether all members can access each other's words.
  bool shareWords(const Group &group, const Store &store);

  /// Addresses of the tensors of a call on all members: [tensor][member].
  /// [tensor] is empty if members cannot access it.
  using MemberAddresses = std::vector<std::vector<char *>>;
  const MemberAddresses &find(const tert_site &site, const TensorList &x);

  /// Non-empty tensors of a call that are transferred together.
  struct Batch {
    std::vector<tert_tensor> x, y;
    std::vector<bool> reversed;
    MemberAddresses addresses; ///< of x
    /// In staging memory, where the others read x; empty if they read it in
    /// place.
    std::vector<char *> staged;
  };
  /// Stages tensors that members cannot access. None if those are too large.
  std::optional<std::vector<Batch>> batchesOf(const PeerLane &lane,
                                              const tert_site &site,
                                              const Collective &collective);

  /// A range of a tensor that this member reduces into `sum`.
  struct ReducedRange {
    int64_t offset, count; ///< in elements
    void *sum;
  };
  /// The range of x[k] that `member` reduces.
  ReducedRange rangeOf(const Batch &batch, int32_t k, int32_t member,
                       CollectiveKind kind) const;

  // Each waits for the others at its begin, and before its end lets them write
  // what it has read.

  /// Reduces this member's ranges; `isRead` if the others read the sums next.
  void reduce(PeerLane &lane, cudaStream_t stream, const Batch &batch,
              CollectiveKind kind, bool isRead);
  /// Copies the others' shards, and this member's.
  void gather(PeerLane &lane, cudaStream_t stream, const Batch &batch);
  /// After reduce(): copies the others' sums.
  void gatherSums(PeerLane &lane, cudaStream_t stream, const Batch &batch);
  /// Fetches the others' operands, by copy engines if they have at least
  /// `engineBytes` bytes, and adds them on the lane's stream for that.
  void fetchAndAdd(PeerLane &lane, cudaStream_t stream,
                   const std::vector<Summed> &sums, int64_t engineBytes);
  /// Returns false without any effect if it is no collective of columns.
  bool gatherColumns(PeerLane &lane, cudaStream_t stream, const tert_site &site,
                     const Mark &mark, const Collective &collective);

  const int32_t rank, ranks;
  const cuda::CommunicatorResources place;
  const Mechanisms mechanisms;
  PeerMemory memory;
  AbortFlag aborted;
  void *shared = nullptr; ///< memory that the members share
  /// The last one is null if kernels may not wait.
  std::array<std::unique_ptr<PeerLane>, 3> lanes;
  std::unique_ptr<PeerScalars> scalars;
  /// Keyed by the site, allocation numbers and offsets within them.
  std::map<std::vector<uint64_t>, MemberAddresses> calls;
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERCOLLECTIVES_H
