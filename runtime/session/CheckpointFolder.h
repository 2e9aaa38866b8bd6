// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checkpoints of a run, side by side in a folder (docs/checkpoint.md).

#ifndef TERT_SESSION_CHECKPOINTFOLDER_H
#define TERT_SESSION_CHECKPOINTFOLDER_H

#include "session/Checkpoint.h"
#include "session/FolderLock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// DIR/step-00000500.safetensors, or DIR/step-00000500, a folder, of a program
/// whose ranks hold parts of the states. Either may be beside the other: a run
/// may be continued by a program of the other kind.
class CheckpointFolder {
public:
  explicit CheckpointFolder(std::string path) : path(std::move(path)) {}

  /// What is beside the checkpoints: which of them are known to be good
  /// (training/GoodCheckpoints.h).
  static constexpr char healthName[] = "health.json";

  /// Makes the folder, locks it against other trainings, and removes what
  /// killed ones left half-written.
  Expected<FolderLock> prepare() const;
  /// The checkpoint of a step that is there; if there is none, where one in a
  /// file would be.
  std::string fileOf(uint64_t step) const;
  /// DIR/best.safetensors or DIR/best, likewise: the checkpoint with the lowest
  /// evaluation loss, kept beside the newest ones.
  std::string bestFile() const;
  /// Step and evaluation loss of that; nothing if there is none, or one that
  /// does not say.
  std::optional<CheckpointInfo> best() const;
  /// Steps of the checkpoints that are there, ascending.
  Expected<std::vector<uint64_t>> steps() const;

  /// saveCheckpoint() of a step, or as the best one, in the place of what is
  /// there.
  Error save(const Session &session, const CheckpointInfo &info,
             const Gather &gather = {}) const;
  Error saveBest(const Session &session, const CheckpointInfo &info,
                 const Gather &gather = {}) const;

  /// Removes all but the newest `keep` and those of the steps `others`; 0 keeps
  /// all.
  Error prune(size_t keep, const std::vector<uint64_t> &others = {}) const;
  /// Removes those of later steps than `step`, and says of which.
  Expected<std::vector<uint64_t>> removeAfter(uint64_t step) const;
  /// Loads the newest checkpoint up to step `last`. If it is damaged: fails,
  /// saying what to do, or, with `skipDamaged`, goes on to the one before and
  /// adds the reason to `skipped`. With `gather` all ranks call it, and load
  /// the one that the first of them finds.
  Expected<CheckpointInfo> loadNewest(Session &session, bool skipDamaged,
                                      std::vector<std::string> &skipped,
                                      const Gather &gather = {},
                                      uint64_t last = UINT64_MAX) const;

private:
  /// A name with what a file, or a folder, has behind it.
  std::string fileNamed(const std::string &name) const;
  std::string folderNamed(const std::string &name) const;
  std::string placeOf(const std::string &name) const;
  Error remove(uint64_t step) const;

  std::string path;
};

} // namespace tert::session

#endif // TERT_SESSION_CHECKPOINTFOLDER_H
