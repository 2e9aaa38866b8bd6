// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collectives of tert/ops.h, among the ranks along a set of the mesh's
// axes.
#ifndef TERT_COLLECTIVES_COMMUNICATOR_H
#define TERT_COLLECTIVES_COMMUNICATOR_H

#include "program/Store.h"
#include "tert/types.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tert {

class Backend;

/// The tensors of a call, owned by the caller.
struct TensorList {
  TensorList(int32_t count, const tert_tensor *tensors)
      : count(count), tensors(tensors) {}

  int32_t size() const { return count; }
  const tert_tensor &operator[](int32_t i) const { return tensors[i]; }
  const tert_tensor *begin() const { return tensors; }
  const tert_tensor *end() const { return tensors + count; }

private:
  int32_t count;
  const tert_tensor *tensors;
};

/// Order of the ranks' shards in full tensors, per tensor: the shard of rank r
/// is number r, or, reversed, the last rank's shard is first.
class ShardOrders {
public:
  /// All tensors in the order of the ranks.
  ShardOrders() = default;
  explicit ShardOrders(std::vector<bool> reversed)
      : reversed(std::move(reversed)) {}

  bool isReversed(int32_t tensor) const {
    return size_t(tensor) < reversed.size() && reversed[tensor];
  }
  /// Index of a rank's shard in a full tensor of `ranks` shards.
  int32_t placeOf(int32_t tensor, int32_t rank, int32_t ranks) const {
    return isReversed(tensor) ? ranks - 1 - rank : rank;
  }

private:
  std::vector<bool> reversed;
};

enum class CollectiveKind {
  AllReduce,     ///< y[k], which is x[k], becomes the sum of all ranks' x[k]
  ReduceScatter, ///< y[k] becomes the rank's shard of that sum
  AllGather,     ///< y[k] becomes the shards x[k] of all ranks
  AllToAll,      ///< y[k] becomes the rank's shards of all ranks' x[k]
};

/// A collective of lists of tensors.
struct Collective {
  CollectiveKind kind;
  TensorList x, y;
  ShardOrders orders = {};
};

/// The ranks of a collective, from the view of one of them.
struct Group {
  std::string axes;             ///< "axes 0 and 2 of the mesh": for messages
  std::string key;              ///< identical for its members, and unique to
                                ///< the group
  int32_t rank = 0;             ///< index of this process among the members
  std::vector<int32_t> members; ///< ranks of the job, in the mesh's order

  int32_t size() const { return static_cast<int32_t>(members.size()); }
  /// "rank 5": a member by its rank in the job.
  std::string name(int32_t place) const {
    return "rank " + std::to_string(members[place]);
  }
  std::string name() const { return name(rank); }
};

/// The means by which the members of a group find each other.
struct Rendezvous {
  Store store; ///< with this group's keys
  /// tert_job.library; empty for the device's default.
  std::string library;
  std::chrono::seconds timeout;
  std::string secret; ///< tert_job.secret; empty if the job has none
};

/// Arguments have been checked; tert/ops.h describes them. Every member makes
/// the same calls in the same order. Calls are enqueued after earlier work of
/// the backend, or complete at once if the backend enqueues nothing.
class Communicator {
public:
  explicit Communicator(Group group) : group(std::move(group)) {}
  virtual ~Communicator() = default;
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  const Group &getGroup() const { return group; }

  virtual void run(const tert_site &site, const Collective &collective) = 0;
  /// Begins a collective that may run concurrently with work enqueued after it,
  /// until await(); complete on return if nothing is enqueued.
  virtual void start(const tert_site &site, const Collective &collective) {
    run(site, collective);
  }
  /// Work enqueued after this sees the results in these tensors.
  virtual void await(const tert_site &site, const TensorList &tensors) {}
  /// norm = sqrt of the sum of squares of all ranks' `parts`, which `backend`
  /// sums on each rank.
  virtual void reduceNorm(const tert_site &site, Backend &backend,
                          const TensorList &parts, const tert_tensor &norm) = 0;
  virtual void reduceScalars(const tert_site &site, const TensorList &maxima,
                             const TensorList &sums, const tert_tensor *max,
                             const tert_tensor *sum) = 0;

  // May be called from any thread, also while another is inside one of the
  // above.
  /// The reason why it has failed; empty if no failure is known.
  virtual std::string failure() { return {}; }
  /// The last op that the device began, if it has begun no other since it was
  /// first seen at least `time` ago; empty otherwise, and if calls return only
  /// when they are done.
  virtual std::string unfinishedFor(std::chrono::milliseconds time) {
    return {};
  }
  /// Aborts work in flight: it fails, and so do all later calls, with
  /// TERT_PEER_ERROR and this reason.
  virtual void abort(const std::string &reason) noexcept {}

private:
  const Group group;
};

/// For a single rank: its operand is the sum, and the maximum.
class AloneCommunicator final : public Communicator {
public:
  AloneCommunicator(Group group, Backend &backend)
      : Communicator(std::move(group)), backend(backend) {}

  void run(const tert_site &site, const Collective &collective) override;
  void reduceNorm(const tert_site &site, Backend &backend,
                  const TensorList &parts, const tert_tensor &norm) override;
  void reduceScalars(const tert_site &site, const TensorList &maxima,
                     const TensorList &sums, const tert_tensor *max,
                     const tert_tensor *sum) override;

private:
  Backend &backend;
};

} // namespace tert

#endif // TERT_COLLECTIVES_COMMUNICATOR_H
