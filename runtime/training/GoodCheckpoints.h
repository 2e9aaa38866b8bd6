// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks which checkpoints of a run are good. A loss that explodes is detected
// some steps after the states went wrong, so a checkpoint is good only once
// later steps have shown it.

#ifndef TERT_TRAINING_GOODCHECKPOINTS_H
#define TERT_TRAINING_GOODCHECKPOINTS_H

#include "support/Error.h"
#include "training/Health.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

/// A checkpoint, and the median of the losses of the Divergence::window steps
/// after it.
struct GoodCheckpoint {
  uint64_t step = 0;
  double loss = 0.0;
};

class GoodCheckpoints {
public:
  /// Reports that a checkpoint of `step` was saved, or is the one that the run
  /// continues.
  void saved(uint64_t step, const Divergence &divergence);
  /// Call after a step whose loss was added to `divergence`. Returns whether a
  /// checkpoint was found to be good. One whose next losses are far from the
  /// best is not, and is dropped.
  bool stepped(const Divergence &divergence);
  /// Drops those that are no longer in the folder; `present` is ascending.
  void keepOnly(const std::vector<uint64_t> &present);
  /// The newest one known to be good.
  const std::optional<GoodCheckpoint> &newest() const { return good; }
  void setNewest(const std::optional<GoodCheckpoint> &known) { good = known; }
  /// Steps to keep when old checkpoints are removed: the newest good one, and
  /// the oldest one that is not decided yet.
  std::vector<uint64_t> protectedSteps() const;

private:
  struct Waiting {
    uint64_t step;
    uint64_t losses; ///< Divergence::count() when it was saved.
  };
  std::vector<Waiting> waiting; ///< Ascending.
  std::optional<GoodCheckpoint> good;
};

/// A folder's record of its run's losses, in `health.json`.
struct HealthRecord {
  std::optional<GoodCheckpoint> good;
  std::optional<Divergence::Baseline> baseline;
  /// The step at which the loss was found to have exploded; 0: it has not.
  uint64_t exploded = 0;
};

/// Empty if there is no such file, or one of another kind.
HealthRecord readHealth(const std::string &folder);
session::Error writeHealth(const std::string &folder,
                           const HealthRecord &record);

} // namespace tert::training

#endif // TERT_TRAINING_GOODCHECKPOINTS_H
