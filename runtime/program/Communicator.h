// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks of a job do together: the collectives of tert/ops.h, among the
// ranks along a set of the mesh's axes.
#ifndef TERT_PROGRAM_COMMUNICATOR_H
#define TERT_PROGRAM_COMMUNICATOR_H

#include "program/Store.h"
#include "tert/types.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tert {

class Backend;

/// The tensors of a call, the caller's.
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

/// Where in wholes the parts of ranks lie, tensor by tensor: that of rank r is
/// number r, or the other way round that of the last rank comes first.
class PartOrders {
public:
  /// Of tensors in the order of the ranks.
  PartOrders() = default;
  explicit PartOrders(std::vector<bool> reversed)
      : reversed(std::move(reversed)) {}

  bool isReversed(int32_t tensor) const {
    return size_t(tensor) < reversed.size() && reversed[tensor];
  }
  /// The number of a rank's part in a whole of `ranks`.
  int32_t placeOf(int32_t tensor, int32_t rank, int32_t ranks) const {
    return isReversed(tensor) ? ranks - 1 - rank : rank;
  }

private:
  std::vector<bool> reversed;
};

/// Ranks that exchange, as one of them sees them.
struct Group {
  std::string axes;             ///< "axes 0 and 2 of the mesh": for messages
  std::string key;              ///< the same for its members and no other group
  int32_t rank = 0;             ///< this process' place among the members
  std::vector<int32_t> members; ///< ranks of the job, in the mesh's order

  int32_t size() const { return static_cast<int32_t>(members.size()); }
  /// "rank 5": a member as the job counts.
  std::string name(int32_t place) const {
    return "rank " + std::to_string(members[place]);
  }
  std::string name() const { return name(rank); }
};

/// How the members of a group find each other.
struct Rendezvous {
  Store store; ///< of this group's keys
  /// tert_job.library; empty for the device's own choice.
  std::string library;
  std::chrono::seconds timeout;
  std::string secret; ///< tert_job.secret; empty: the job has none
};

/// Arguments come checked: see tert/ops.h for what they are. Every member makes
/// the same calls in the same order. The calls are enqueued behind what the
/// backend was given before, or done at once where it enqueues nothing.
class Communicator {
public:
  explicit Communicator(Group group) : group(std::move(group)) {}
  virtual ~Communicator() = default;
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  const Group &getGroup() const { return group; }

  virtual void allReduce(const tert_site &site, const TensorList &tensors) = 0;
  /// allReduce beside what is enqueued behind it, until await(); at once where
  /// nothing is enqueued.
  virtual void startAllReduce(const tert_site &site,
                              const TensorList &tensors) {
    allReduce(site, tensors);
  }
  virtual void reduceScatter(const tert_site &site, const TensorList &x,
                             const TensorList &y, const PartOrders &orders) = 0;
  virtual void allGather(const tert_site &site, const TensorList &x,
                         const TensorList &y, const PartOrders &orders) = 0;
  // The same beside what is enqueued behind them, until await().
  virtual void startReduceScatter(const tert_site &site, const TensorList &x,
                                  const TensorList &y,
                                  const PartOrders &orders) {
    reduceScatter(site, x, y, orders);
  }
  virtual void startAllGather(const tert_site &site, const TensorList &x,
                              const TensorList &y, const PartOrders &orders) {
    allGather(site, x, y, orders);
  }
  /// What is enqueued behind this sees the results on these tensors.
  virtual void await(const tert_site &site, const TensorList &tensors) {}
  /// norm = sqrt of the sum of squares of the elements of all ranks' `parts`,
  /// which `backend` adds up on each.
  virtual void reduceNorm(const tert_site &site, Backend &backend,
                          const TensorList &parts, const tert_tensor &norm) = 0;
  virtual void reduceScalars(const tert_site &site, const TensorList &maxima,
                             const TensorList &sums, const tert_tensor *max,
                             const tert_tensor *sum) = 0;

  // From any thread, also while another is inside one of the above.
  /// Why it works no longer; empty while nothing is known to be wrong.
  virtual std::string failure() { return {}; }
  /// The op that the device began last, if it has begun no other one since it
  /// was seen `time` ago; empty otherwise, and where calls do not return before
  /// they are done.
  virtual std::string unfinishedFor(std::chrono::milliseconds time) {
    return {};
  }
  /// Ends what is under way: it fails, and so does what is called later, with
  /// TERT_PEER_ERROR and this reason.
  virtual void abort(const std::string &reason) noexcept {}

private:
  const Group group;
};

/// Of a rank that is alone: what it has is the sum, and the largest.
class AloneCommunicator final : public Communicator {
public:
  AloneCommunicator(Group group, Backend &backend)
      : Communicator(std::move(group)), backend(backend) {}

  void allReduce(const tert_site &, const TensorList &) override {}
  void reduceScatter(const tert_site &site, const TensorList &x,
                     const TensorList &y, const PartOrders &orders) override;
  void allGather(const tert_site &site, const TensorList &x,
                 const TensorList &y, const PartOrders &orders) override;
  void reduceNorm(const tert_site &site, Backend &backend,
                  const TensorList &parts, const tert_tensor &norm) override;
  void reduceScalars(const tert_site &site, const TensorList &maxima,
                     const TensorList &sums, const tert_tensor *max,
                     const tert_tensor *sum) override;

private:
  Backend &backend;
};

} // namespace tert

#endif // TERT_PROGRAM_COMMUNICATOR_H
