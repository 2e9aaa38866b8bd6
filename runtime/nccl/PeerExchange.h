// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges among GPUs of one host: each member reads what it needs in the
// others' memory, and adds up in the order of the members. What is much and
// runs beside the computation is fetched by copy engines, which take nothing
// from the multiprocessors that compute; what is little, and what runs alone,
// is a kernel's.
#ifndef TERT_NCCL_PEEREXCHANGE_H
#define TERT_NCCL_PEEREXCHANGE_H

#include "cuda/CommunicatorLibrary.h"
#include "nccl/AbortWord.h"
#include "nccl/PeerLane.h"
#include "nccl/PeerMemory.h"
#include "nccl/PeerScalars.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace tert::nccl {

class PeerExchange {
public:
  /// All members of a group call it. Null where they do not see each other's
  /// memory.
  static std::unique_ptr<PeerExchange>
  connect(const Group &group, const cuda::CommunicatorPlace &place,
          const Store &store);
  ~PeerExchange();
  PeerExchange(const PeerExchange &) = delete;
  PeerExchange &operator=(const PeerExchange &) = delete;

  enum LaneIndex { WithComputation, Beside, BesideQuickly };

  // Which lane beside the computation takes a call; each is in order.
  LaneIndex laneOfAllReduce(const TensorList &tensors) const;
  LaneIndex laneOfReduceScatter(const TensorList &y) const;
  LaneIndex laneOfAllGather(const TensorList &x, const TensorList &y,
                            const PartOrders &orders) const;

  // Like those of Communicator, enqueued on `stream`. False, and nothing is
  // done, on all members alike, if a large tensor lies in memory that others do
  // not see. `mark` as in begin().
  bool allReduce(LaneIndex lane, cudaStream_t stream, const tert_site &site,
                 const Mark &mark, const TensorList &tensors);
  bool reduceScatter(LaneIndex lane, cudaStream_t stream, const tert_site &site,
                     const Mark &mark, const TensorList &x, const TensorList &y,
                     const PartOrders &orders);
  bool allGather(LaneIndex lane, cudaStream_t stream, const tert_site &site,
                 const Mark &mark, const TensorList &x, const TensorList &y,
                 const PartOrders &orders);

  // Like those of PeerScalars; reduceScalars as above where there is no room
  // for so many.
  bool reduceScalars(cudaStream_t stream, const Mark &mark,
                     const TensorList &maxima, const TensorList &sums,
                     float *max, float *sum);
  void reduceNorm(cudaStream_t stream, const Mark &mark, const double *own,
                  float *norm) {
    scalars->reduceNorm(stream, mark, own, norm);
  }

  /// Nobody is waited for any longer. From any thread.
  void abort() noexcept;

private:
  PeerExchange(const Group &group, const cuda::CommunicatorPlace &place,
               const Store &store);
  /// Whether all members see each other's words.
  bool meetOthers(const Group &group, const Store &store);

  /// Where the tensors of a call of all members are: [tensor][member]; of one
  /// that they do not see, [tensor] is empty.
  using Everywhere = std::vector<std::vector<char *>>;
  const Everywhere &find(const tert_site &site, const TensorList &x);

  /// Some tensors of a call, in its order.
  struct Tensors {
    std::vector<tert_tensor> x, y;
    std::vector<bool> reversed;

    void add(const tert_tensor &from, const tert_tensor &to, bool isReversed) {
      x.push_back(from);
      y.push_back(to);
      reversed.push_back(isReversed);
    }
  };
  /// How the tensors of a call that have elements travel.
  struct Ways {
    std::vector<Tensors> staged; ///< what goes at a time
    Tensors direct;              ///< what is read where it is
    Everywhere places;           ///< of x of these
  };
  /// All is staged where it `isLittle`, and else what members do not see. None
  /// if that is too large.
  std::optional<Ways> waysOf(const PeerLane &lane, const tert_site &site,
                             bool isLittle, const TensorList &x,
                             const TensorList &y, const PartOrders &orders);

  /// Part of a tensor, which this member adds up: it is `offset` bytes into
  /// every member's tensor, and goes to `sum`.
  struct Part {
    int64_t offset, count; ///< of elements
    void *sum;
  };
  /// Of what the lane does by kernels that meet, if it does.
  static void begin(PeerLane &lane, cudaStream_t stream, const Mark &mark);
  static void end(PeerLane &lane, cudaStream_t stream);

  /// What is added up where it is.
  static std::vector<Summed> sumsOf(const Everywhere &all, const TensorList &x,
                                    const std::vector<Part> &parts);
  void reduceParts(PeerLane &lane, cudaStream_t stream, const Everywhere &all,
                   const TensorList &x, const std::vector<Part> &parts);
  /// For an exchange in which a member fetches `bytes` of each other.
  LaneIndex laneFor(int64_t bytes, int64_t most) const;
  /// Of what is read where it is.
  void gatherDirectly(PeerLane &lane, cudaStream_t stream, const Ways &ways);
  /// The same; behind its own end().
  void allReduceDirectly(PeerLane &lane, cudaStream_t stream, const Ways &ways);

  const int32_t rank, ranks;
  const cuda::CommunicatorPlace place;
  PeerMemory memory;
  AbortWord aborted;
  void *shared = nullptr; ///< the block that members share
  /// The last one is null where kernels may not wait.
  std::array<std::unique_ptr<PeerLane>, 3> lanes;
  std::unique_ptr<PeerScalars> scalars;
  /// By numbers of allocations and offsets in them.
  std::map<std::vector<uint64_t>, Everywhere> calls;
};

} // namespace tert::nccl

#endif // TERT_NCCL_PEEREXCHANGE_H
