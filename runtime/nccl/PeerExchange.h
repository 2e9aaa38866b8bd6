// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large exchanges among GPUs of one host: each member reads what it needs in
// the others' memory, and adds up in the order of the members. What runs beside
// the computation is fetched by copy engines, which take nothing from the
// multiprocessors that compute; where nothing else runs, these read it.
#ifndef TERT_NCCL_PEEREXCHANGE_H
#define TERT_NCCL_PEEREXCHANGE_H

#include "cuda/CommunicatorLibrary.h"
#include "cuda/Stream.h"
#include "nccl/Meeting.h"
#include "nccl/PeerMemory.h"
#include "nccl/PeerScalars.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace tert::nccl {

/// Exchanges that are enqueued one behind the other: with the computation, or
/// beside it. What they share is of one of these alone.
class PeerLane {
public:
  /// `words` as in Meeting.
  PeerLane(int ordinal, int32_t rank, std::vector<char *> words);
  ~PeerLane();
  PeerLane(const PeerLane &) = delete;
  PeerLane &operator=(const PeerLane &) = delete;

  Meeting meeting;
  /// What has been fetched and not been added yet, in two halves that take
  /// turns: one is added up while the other is fetched.
  char *copies = nullptr;
  int64_t stride; ///< bytes of each half for each of the other members

  /// Sums, and what else need not wait for the exchange.
  cuda::Stream adding;
  cuda::Event begun;
  std::array<cuda::Event, 2> fetched, added;
};

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

  enum LaneIndex { WithComputation, Beside };

  // Like those of Communicator, enqueued on `stream`. False, and nothing is
  // done, on all members alike, where it is too little to be worth it, or lies
  // in memory that others do not see. `mark` as in begin().
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
  bool meetOthers();

  /// Where the tensors of a call of all members are: [tensor][member]; empty
  /// where they do not see them.
  using Everywhere = std::vector<std::vector<char *>>;
  const Everywhere &find(const tert_site &site, const TensorList &x);

  /// Part of a tensor, which this member adds up: it is `offset` bytes into
  /// every member's tensor, and goes to `sum`.
  struct Part {
    int64_t offset, count; ///< of elements
    void *sum;
  };
  /// Says that an exchange begins, beside it: the host's word is far away.
  void begin(PeerLane &lane, cudaStream_t stream, const Mark &mark);
  void reduceParts(PeerLane &lane, cudaStream_t stream, const Everywhere &all,
                   const TensorList &x, const std::vector<Part> &parts);
  /// What is enqueued behind it sees the sums; every exchange ends with it.
  void joinSums(PeerLane &lane, cudaStream_t stream);
  /// The k-th of the others, each member in another order.
  int32_t other(int32_t k) const { return (rank + 1 + k) % ranks; }

  const int32_t rank, ranks;
  const cuda::CommunicatorPlace place;
  PeerMemory memory;
  void *words = nullptr; ///< of both lanes' meeting places, and of scalars
  std::array<std::unique_ptr<PeerLane>, 2> lanes;
  std::unique_ptr<PeerScalars> scalars;
  /// By numbers of allocations and offsets in them.
  std::map<std::vector<uint64_t>, Everywhere> calls;
};

} // namespace tert::nccl

#endif // TERT_NCCL_PEEREXCHANGE_H
