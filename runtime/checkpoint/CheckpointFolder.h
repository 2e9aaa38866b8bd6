// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run's folder of checkpoints (docs/checkpoint.md).

#ifndef TERT_CHECKPOINT_CHECKPOINTFOLDER_H
#define TERT_CHECKPOINT_CHECKPOINTFOLDER_H

#include "checkpoint/Checkpoint.h"
#include "checkpoint/FolderLock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// DIR/step-00000500.safetensors, or, for sharded states, the folder
/// DIR/step-00000500. Both kinds may coexist: a program of the other kind may
/// continue a run.
class CheckpointFolder {
public:
  explicit CheckpointFolder(std::string path) : path(std::move(path)) {}

  /// The file that records which checkpoints are known to be good
  /// (training/GoodCheckpoints.h).
  static constexpr char healthName[] = "health.json";
  /// The settings of the run (TrainingOptions::record).
  static constexpr char recordName[] = "run.toml";

  /// Creates the folder, locks it against other trainings, and removes
  /// incomplete files of killed ones.
  Expected<FolderLock> prepare() const;
  /// The existing checkpoint of a step; if there is none, the path of one in a
  /// single file.
  std::string fileOf(uint64_t step) const;
  /// DIR/best.safetensors or DIR/best: the checkpoint with the lowest
  /// evaluation loss, kept besides the newest ones.
  std::string bestFile() const;
  /// Its step and evaluation loss; nothing if there is none, or it has no loss.
  std::optional<CheckpointInfo> best() const;
  /// Steps of the existing checkpoints, ascending.
  Expected<std::vector<uint64_t>> steps() const;

  /// Saves a step, or the best checkpoint, by saveCheckpoint(), replacing the
  /// existing one.
  Error save(const ProgramStates &program, const CheckpointInfo &info,
             const Gather &gather = {}) const;
  Error saveBest(const ProgramStates &program, const CheckpointInfo &info,
                 const Gather &gather = {}) const;

  /// Removes all except for the newest `keep`, those of the steps `others`, and
  /// those of multiples of `milestones` steps; 0 keeps all.
  Error prune(size_t keep, const std::vector<uint64_t> &others = {},
              uint64_t milestones = 0) const;
  /// Removes those of later steps than `step`, and returns their steps.
  Expected<std::vector<uint64_t>> removeAfter(uint64_t step) const;
  /// Loads the newest checkpoint up to step `last`. If it is damaged: fails
  /// with advice, or, with `skipDamaged`, tries the previous one and adds the
  /// reason to `skipped`. With `gather` all ranks call it, and load the one
  /// that the first rank finds.
  Expected<CheckpointInfo> loadNewest(ProgramStates &program, bool skipDamaged,
                                      std::vector<std::string> &skipped,
                                      const Gather &gather = {},
                                      uint64_t last = UINT64_MAX) const;

private:
  /// A name with the suffix of a file or a folder.
  std::string fileNamed(const std::string &name) const;
  std::string folderNamed(const std::string &name) const;
  std::string placeOf(const std::string &name) const;
  Error remove(uint64_t step) const;

  std::string path;
};

} // namespace tert::session

#endif // TERT_CHECKPOINT_CHECKPOINTFOLDER_H
