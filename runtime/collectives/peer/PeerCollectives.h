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
#include "collectives/peer/PeerLane.h"
#include "collectives/peer/PeerMemory.h"
#include "collectives/peer/PeerScalars.h"
#include "cuda/CommunicatorLibrary.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace tert::peer {

class PeerCollectives {
public:
  /// Collective over the group. Null if members cannot access each other's
  /// memory.
  static std::unique_ptr<PeerCollectives>
  connect(const Group &group, const cuda::CommunicatorResources &place,
          const Store &store);
  ~PeerCollectives();
  PeerCollectives(const PeerCollectives &) = delete;
  PeerCollectives &operator=(const PeerCollectives &) = delete;

  enum LaneIndex { InOrder, Concurrent, ConcurrentSmall };

  // The lane, beside the computation, for a call; each lane is in order.
  LaneIndex laneOfAllReduce(const TensorList &tensors) const;
  LaneIndex laneOfReduceScatter(const TensorList &y) const;
  LaneIndex laneOfAllGather(const TensorList &x, const TensorList &y,
                            const ShardOrders &orders) const;

  // Like the methods of Communicator, enqueued on `stream`. Return false
  // without any effect, on all members alike, if a large tensor is in memory
  // that others cannot access. `mark` as in begin().
  bool allReduce(LaneIndex lane, cudaStream_t stream, const tert_site &site,
                 const Mark &mark, const TensorList &tensors);
  bool reduceScatter(LaneIndex lane, cudaStream_t stream, const tert_site &site,
                     const Mark &mark, const TensorList &x, const TensorList &y,
                     const ShardOrders &orders);
  bool allGather(LaneIndex lane, cudaStream_t stream, const tert_site &site,
                 const Mark &mark, const TensorList &x, const TensorList &y,
                 const ShardOrders &orders);

  // Like those of PeerScalars. reduceScalars falls back to the collectives
  // above beyond their capacity.
  bool reduceScalars(cudaStream_t stream, const Mark &mark,
                     const TensorList &maxima, const TensorList &sums,
                     float *max, float *sum);
  void reduceNorm(cudaStream_t stream, const Mark &mark, const double *own,
                  float *norm) {
    scalars->reduceNorm(stream, mark, own, norm);
  }

  /// Stops waiting for other members. May be called from any thread.
  void abort() noexcept;

private:
  PeerCollectives(const Group &group, const cuda::CommunicatorResources &place,
                  const Store &store);
  /// Returns whether all members can access each other's words.
  bool shareWords(const Group &group, const Store &store);

  /// Addresses of the tensors of a call on all members: [tensor][member].
  /// [tensor] is empty if members cannot access it.
  using MemberAddresses = std::vector<std::vector<char *>>;
  const MemberAddresses &find(const tert_site &site, const TensorList &x);

  /// A subset of a call's tensors, in order.
  struct Tensors {
    std::vector<tert_tensor> x, y;
    std::vector<bool> reversed;

    void add(const tert_tensor &from, const tert_tensor &to, bool isReversed) {
      x.push_back(from);
      y.push_back(to);
      reversed.push_back(isReversed);
    }
  };
  /// Transport of the non-empty tensors of a call.
  struct Transfers {
    std::vector<Tensors> staged; ///< batches that go through staging memory
    Tensors direct;              ///< tensors read in place
    MemberAddresses places;      ///< addresses of their x
  };
  /// Stages all tensors if `isLittle`, otherwise those that members cannot
  /// access. None if those are too large.
  std::optional<Transfers> transfersOf(const PeerLane &lane,
                                       const tert_site &site, bool isLittle,
                                       const TensorList &x, const TensorList &y,
                                       const ShardOrders &orders);

  /// A range of a tensor that this member reduces: at byte `offset` of every
  /// member's tensor; the result goes to `sum`.
  struct ReducedRange {
    int64_t offset, count; ///< in elements
    void *sum;
  };
  /// Begins the lane's collective, on `stream` or beside it.
  static void begin(PeerLane &lane, cudaStream_t stream, const Mark &mark);
  static void end(PeerLane &lane, cudaStream_t stream);

  /// The sums that are computed in place.
  static std::vector<Summed> sumsOf(const MemberAddresses &all,
                                    const TensorList &x,
                                    const std::vector<ReducedRange> &parts);
  void reduceShards(PeerLane &lane, cudaStream_t stream,
                    const MemberAddresses &all, const TensorList &x,
                    const std::vector<ReducedRange> &parts);
  /// The lane for a collective that fetches `bytes` from each other member.
  LaneIndex laneFor(int64_t bytes, int64_t most) const;
  /// Gathers the tensors that are read in place.
  void gatherDirectly(PeerLane &lane, cudaStream_t stream,
                      const Transfers &ways);
  /// All-reduces the tensors that are read in place, and ends the collective
  /// itself: no end() follows.
  void allReduceDirectly(PeerLane &lane, cudaStream_t stream,
                         const Transfers &ways);

  const int32_t rank, ranks;
  const cuda::CommunicatorResources place;
  PeerMemory memory;
  AbortFlag aborted;
  void *shared = nullptr; ///< memory that the members share
  /// The last one is null if kernels may not wait.
  std::array<std::unique_ptr<PeerLane>, 3> lanes;
  std::unique_ptr<PeerScalars> scalars;
  /// Keyed by allocation numbers and offsets within them.
  std::map<std::vector<uint64_t>, MemberAddresses> calls;
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERCOLLECTIVES_H
