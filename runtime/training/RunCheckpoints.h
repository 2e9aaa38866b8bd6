// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checkpoints of one run: where it begins, what it keeps on the way and at
// its end, and which rank reads and writes what.

#ifndef TERT_TRAINING_RUNCHECKPOINTS_H
#define TERT_TRAINING_RUNCHECKPOINTS_H

#include "session/CheckpointFolder.h"
#include "training/GoodCheckpoints.h"
#include "training/Training.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::training {

/// Where a run begins: at step 0, or behind the checkpoint that it continues.
struct RunStart {
  uint64_t seed = 0;
  uint64_t step = 0;
  uint64_t batch = 0; ///< The first of the data that was not read yet.
  /// differentUnit() of the checkpoint: its scales of gradients are not those
  /// of this program.
  std::string otherGradients{};
  bool beginsFp8Anew = false; ///< CheckpointInfo::beginsFp8Anew
};

/// Without TrainingOptions::checkpoints it gives the states their first values
/// and saves nothing. All ranks make the same calls. What it refers to must
/// outlive it; it notes the best checkpoint in `outcome`, and gives
/// `divergence` what the run that is continued has shown.
class RunCheckpoints {
public:
  /// Learns what the run is made of; `rate` is its learning rate.
  static session::Expected<RunCheckpoints>
  create(session::Session &session, const TrainingOptions &options, double rate,
         Ranks &ranks, Divergence &divergence, Observer &observer,
         Outcome &outcome);

  /// Loads the newest checkpoint, or the newest good one, or gives the states
  /// their first values.
  session::Expected<RunStart> begin();

  /// Whether all ranks write checkpoints, each its parts; else the first does.
  bool savesTogether() const { return session->description().hasParts(); }

  /// After `done` steps. What follows skipped steps may be no better than they
  /// are: nothing older is deleted if the newest of them was skipped.
  session::Error save(uint64_t done, bool wasSkipped);
  /// The same before the end, after a step that was not skipped: what fails is
  /// worth a warning, not the run.
  void saveOnTheWay(uint64_t done);
  /// A checkpoint that is due on a skipped step waits for one that is not.
  void postpone() { isPostponed = true; }
  bool isDue() const { return isPostponed; }
  /// After a step, whose loss the divergence has.
  void stepped(uint64_t step);
  /// The newest checkpoint that later steps have shown to be good.
  const std::optional<GoodCheckpoint> &good() const { return shown.newest(); }
  std::string goodFile() const { return folder.fileOf(good()->step); }
  /// Of a step whose evaluation loss is the lowest so far.
  void saveBest(const StepMetrics &now);

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
  session::Error followTogether();
  void continueFrom(const session::CheckpointInfo &info);
  session::Error initialize();
  session::Error checkProvenance(const session::CheckpointInfo &info);
  session::Error takeHealth(const session::CheckpointInfo &info);
  session::Error removeExploded(uint64_t step);
  session::Error prune();
  session::Error shareBest();
  session::Error shareNumber(const std::string &what, double &number);
  /// For what all ranks do together; nothing for what one does.
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
  std::optional<session::FolderLock> lock;
  std::string settings, provenance, gradients;
  RunStart start;
  GoodCheckpoints shown;
  HealthRecord health; ///< What the folder says.
  uint64_t saved = 0;
  bool isPostponed = false;
};

} // namespace tert::training

#endif // TERT_TRAINING_RUNCHECKPOINTS_H
