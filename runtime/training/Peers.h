// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that run one training together (docs/distributed.md).

#ifndef TERT_TRAINING_PEERS_H
#define TERT_TRAINING_PEERS_H

#include "checkpoint/ShardedCheckpoint.h"
#include "session/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tert::training {

/// Communication between ranks outside of the program. All ranks make the same
/// calls of gather() in the same order.
class Peers {
public:
  enum class Doing { Data, Step, Saving, Evaluating };

  virtual ~Peers() = default;
  virtual int32_t rank() const = 0;
  virtual int32_t size() const = 0;
  /// Waits for all ranks; returns their values, indexed by rank.
  virtual session::Expected<std::vector<std::string>>
  gather(const std::string &what, const std::string &value) = 0;
  /// Called after `done` steps; returns whether to stop now, because this rank
  /// or another one `wanted` to. All ranks stop after the same step.
  virtual bool stopTogether(uint64_t done, bool wanted) = 0;
  /// Sets this rank's current activity, for messages: step `step`, from 1.
  virtual void note(Doing doing, uint64_t step) {}
};

/// The ranks of a run, for the training loop: a single one without peers.
class Ranks {
public:
  Ranks(Peers *peers, const session::Mesh &mesh) : peers(peers), mesh(mesh) {}

  /// True if this rank does the writing and printing that a single one does.
  bool isFirst() const { return !peers || peers->rank() == 0; }
  /// This rank reads batch share() of every shares() batches of the data.
  uint64_t shares() const;
  uint64_t share() const;
  /// Batches of the data per step, over all ranks.
  uint64_t batchesPerStep(uint64_t microbatches) const {
    return microbatches * shares();
  }
  /// A barrier; does nothing for a single rank.
  session::Error meet(const std::string &what);
  /// The values of all ranks, indexed by rank.
  session::Expected<std::vector<std::string>> gather(const std::string &what,
                                                     const std::string &own);
  /// gather() for checkpoints that all ranks load or save together; empty for a
  /// single rank. Must not outlive this object.
  session::Gather asGather();
  /// Fails, on all ranks alike, unless `folder` is the same folder on all of
  /// them; names the first rank that has another one.
  session::Error checkFolder(const std::string &flag,
                             const std::string &folder);
  /// Like checkFolder, for a file of tensors, by its digest.
  session::Error checkFile(const std::string &flag, const std::string &file);
  /// Returns whether the argument is true on all ranks.
  session::Expected<bool> onAll(const std::string &what, bool own);
  /// The first rank's number.
  session::Expected<uint64_t> fromFirst(const std::string &what,
                                        uint64_t number);
  /// The value of each share of the data, by share, or the failure of a rank;
  /// the same on all ranks.
  session::Expected<std::vector<std::string>>
  gatherShares(const std::string &what,
               const session::Expected<std::string> &own);
  bool stop(uint64_t done, bool wanted) {
    return peers ? peers->stopTogether(done, wanted) : wanted;
  }
  void note(Peers::Doing doing, uint64_t step) {
    if (peers)
      peers->note(doing, step);
  }
  /// Fails, on all ranks alike, if a state, or a shard of one, that several
  /// ranks hold differs between them after step `step`; names the first such
  /// state and the ranks.
  session::Error checkReplicas(const session::Session &session, uint64_t step);

private:
  Peers *peers;
  const session::Mesh &mesh;
};

} // namespace tert::training

#endif // TERT_TRAINING_PEERS_H
