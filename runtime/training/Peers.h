// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that run one training side by side (docs/distributed.md).

#ifndef TERT_TRAINING_PEERS_H
#define TERT_TRAINING_PEERS_H

#include "session/CheckpointParts.h"
#include "session/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tert::training {

/// How a rank reaches the others outside of its program. All ranks make the
/// same calls of gather() in the same order.
class Peers {
public:
  enum class Doing { Data, Step, Saving, Evaluating };

  virtual ~Peers() = default;
  virtual int32_t rank() const = 0;
  virtual int32_t size() const = 0;
  /// Waits for all; what each brought, by rank.
  virtual session::Expected<std::vector<std::string>>
  gather(const std::string &what, const std::string &value) = 0;
  /// Asked when `done` steps are done: whether to stop now, because this rank
  /// or another `wanted` to. All are told the same number of steps.
  virtual bool stopTogether(uint64_t done, bool wanted) = 0;
  /// What this rank does from now on, for messages: step `step`, from 1.
  virtual void note(Doing doing, uint64_t step) {}
};

/// The ranks of a run as its loop sees them: without peers one that is alone.
class Ranks {
public:
  Ranks(Peers *peers, const session::Mesh &mesh) : peers(peers), mesh(mesh) {}

  /// Whether this rank writes and tells what one of them has to.
  bool isFirst() const { return !peers || peers->rank() == 0; }
  /// Of every so many batches of the data, this rank takes that one.
  uint64_t shares() const;
  uint64_t share() const;
  /// Of the data, on all ranks together.
  uint64_t batchesPerStep(uint64_t microbatches) const {
    return microbatches * shares();
  }
  /// Nothing if it is alone.
  session::Error meet(const std::string &what);
  /// What each rank brought, by rank.
  session::Expected<std::vector<std::string>> gather(const std::string &what,
                                                     const std::string &own);
  /// The same for checkpoints that all ranks load or save together; empty if
  /// it is alone. Not to outlive this.
  session::Gather asGather();
  /// Fails, on all ranks alike, unless `folder` is one folder for all of them:
  /// names the first rank that has another one.
  session::Error checkFolder(const std::string &flag,
                             const std::string &folder);
  /// The same of a file of tensors, by its digest.
  session::Error checkFile(const std::string &flag, const std::string &file);
  /// Whether all ranks say so.
  session::Expected<bool> onAll(const std::string &what, bool own);
  /// The number that the first rank brings.
  session::Expected<uint64_t> fromFirst(const std::string &what,
                                        uint64_t number);
  /// What each share of the data gave, by share, or the failure of a rank, the
  /// same on all.
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
  /// Fails, on all ranks alike, if what several ranks hold of a state, all of
  /// it or the same part, differs between them after step `step`: names the
  /// first such state and the ranks.
  session::Error checkReplicas(const session::Session &session, uint64_t step);

private:
  Peers *peers;
  const session::Mesh &mesh;
};

} // namespace tert::training

#endif // TERT_TRAINING_PEERS_H
