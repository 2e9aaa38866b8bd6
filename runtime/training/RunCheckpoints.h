// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checkpoints of one run: which one it starts from, which ones it keeps,
// and which rank reads and writes them.

#ifndef TERT_TRAINING_RUNCHECKPOINTS_H
#define TERT_TRAINING_RUNCHECKPOINTS_H

#include "checkpoint/CheckpointFolder.h"
#include "training/BestWriter.h"
#include "training/Fallback.h"
#include "training/GoodCheckpoints.h"
#include "training/Observer.h"
#include "training/Outcome.h"
#include "training/Peers.h"
#include "training/TrainingOptions.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::training {

/// Start of a run: step 0, or after the checkpoint that it continues.
struct RunStart {
  uint64_t seed = 0;
  uint64_t step = 0;
  uint64_t batch = 0; ///< The first batch of the data not read yet.
  /// differentUnit() of the checkpoint: its scales of gradients are in another
  /// unit than those of this program.
  std::string otherGradients{};
  bool reinitializesFp8 = false; ///< CheckpointInfo::reinitializesFp8
};

/// Without TrainingOptions::checkpoints it initializes the states and saves
/// nothing. All ranks make the same calls. Its references must outlive it. It
/// stores the best checkpoint in `outcome`, and restores `divergence` from the
/// run that is continued.
class RunCheckpoints {
public:
  /// Determines the run's provenance; `rate` is its learning rate.
  static session::Expected<RunCheckpoints>
  create(session::Session &session, const TrainingOptions &options, double rate,
         Ranks &ranks, Divergence &divergence, Observer &observer,
         Outcome &outcome);

  /// Loads the newest checkpoint, or the newest good one, or initializes the
  /// states.
  session::Expected<RunStart> begin();

  /// True if all ranks write checkpoints, each its shards; otherwise the first
  /// rank does.
  bool savesTogether() const {
    return session->description().hasShardedStates();
  }

  /// Call after `done` steps. The states after a skipped step may be no better
  /// than before: no older checkpoint is deleted if the last step was skipped.
  session::Error save(uint64_t done, bool wasSkipped);
  /// Like save(), before the end, after a step that was not skipped: a failure
  /// is only a warning.
  void saveDuringRun(uint64_t done);
  /// A checkpoint due on a skipped step is delayed until after one that is not.
  void postpone() { isPostponed = true; }
  /// The next checkpoint is the last one before the fallback.
  void endBeforeFallback(FallbackRecord record) {
    fallback = std::move(record);
  }
  /// Call after a step whose loss was added to the divergence.
  void stepped(uint64_t step);
  /// The newest checkpoint that later steps have shown to be good.
  const std::optional<GoodCheckpoint> &good() const { return shown.newest(); }
  std::string goodFile() const { return folder.fileOf(good()->step); }
  /// Saves the best checkpoint, after a step with the lowest evaluation loss so
  /// far.
  void saveBest(const StepMetrics &now);
  /// Waits for the best checkpoint, which is written in the background.
  void finishBest();
  /// True if a checkpoint of this step is due.
  bool isDueAt(uint64_t step) const {
    return isPostponed || (options->every && step % options->every == 0) ||
           (options->milestones && step % options->milestones == 0);
  }

  /// The step of the newest checkpoint; 0 if there is none.
  uint64_t newest() const { return saved; }
  std::string newestFile() const { return folder.fileOf(saved); }

private:
  RunCheckpoints(session::Session &session, const TrainingOptions &options,
                 double rate, Ranks &ranks, Divergence &divergence,
                 Observer &observer, Outcome &outcome);
  session::Error loadOrInitialize();
  session::Expected<bool> resumes();
  session::Error loadNewest();
  session::Error follow(bool continues);
  session::Error loadSharedCheckpoint();
  void continueFrom(const session::CheckpointInfo &info);
  session::Error initialize();
  session::Error writeRecord() const;
  bool isSwitch(const session::CheckpointInfo &info) const;
  /// provenanceChanges() of the checkpoint; the fallback's precision is
  /// another.
  std::string changesSince(const session::CheckpointInfo &info) const;
  session::Error checkProvenance(const session::CheckpointInfo &info);
  session::Error takeHealth(const session::CheckpointInfo &info);
  session::Error removeExploded(uint64_t step);
  session::Error prune();
  session::Error shareBest();
  session::Error shareNumber(const std::string &what, double &number);
  /// For checkpoints that all ranks write; empty if one rank does.
  session::Gather gather();
  session::CheckpointInfo infoAt(uint64_t done,
                                 std::optional<double> evalLoss) const;

  session::Session *session;
  const TrainingOptions *options;
  Ranks *ranks;
  Divergence *divergence;
  Observer *observer;
  Outcome *outcome;
  session::CheckpointFolder folder;
  std::unique_ptr<BestWriter> bestWriter; ///< Unless ranks save together.
  std::optional<session::FolderLock> lock;
  std::string settings, provenance, gradients;
  RunStart start;
  GoodCheckpoints shown;
  HealthRecord health;                    ///< The folder's record.
  std::optional<FallbackRecord> fallback; ///< Of the next checkpoints.
  uint64_t saved = 0;
  bool isPostponed = false;
};

} // namespace tert::training

#endif // TERT_TRAINING_RUNCHECKPOINTS_H
