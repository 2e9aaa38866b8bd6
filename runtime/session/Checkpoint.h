// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints: one safetensors file with every state by name, and metadata that
// says of which model, at which step (docs/checkpoint.md).

#ifndef TERT_SESSION_CHECKPOINT_H
#define TERT_SESSION_CHECKPOINT_H

#include "session/CheckpointFit.h"
#include "session/FolderLock.h"
#include "session/Safetensors.h"
#include "session/Session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// What a checkpoint knows beside the states.
struct CheckpointInfo {
  uint64_t step = 0; ///< Steps that were run.
  uint64_t seed = 0; ///< Of the parameters and of the order of the data.
  /// How the run was set up (learning rate, schedule), as JSON; may be empty.
  std::string run;
  /// Of the evaluation after that step, if there was one.
  std::optional<double> evalLoss;
  /// Of what the run is made: program, data, weights (training/Provenance.h),
  /// as JSON; empty in checkpoints of older versions.
  std::string provenance{};
  /// Batches of the data that were learned from, those of all ranks and
  /// microbatches counted; if it does not say, one a step.
  std::optional<uint64_t> batches{};
};

/// True for a file that saveCheckpoint() wrote, of whatever model.
bool isCheckpoint(const SafetensorsFile &file);

/// Which states are worth a checkpoint.
enum class StateCheck {
  None,
  Finite ///< Those without NaN and infinity.
};

/// Writes every state to `path`, but for the sums over microbatches, which are
/// zero between two steps. A failure, states that do not pass the check,
/// or a kill at any moment leaves what was at `path` before.
Error saveCheckpoint(const Session &session, const std::string &path,
                     const CheckpointInfo &info,
                     StateCheck check = StateCheck::None);

/// Reads every state from `path`, and clears sums over microbatches: by name,
/// so that the program may have other entries than the one that wrote it, and
/// its states and slots in another order. Refuses, before any state changes, a
/// file that is damaged (its checksum covers all tensors), of another version,
/// or that does not fit; says which, and what does not fit.
Expected<CheckpointInfo>
loadCheckpoint(Session &session, const std::string &path,
               CheckpointPart part = CheckpointPart::Whole);

/// Opens a checkpoint of whatever model; refuses one that is damaged or of
/// another version.
Expected<SafetensorsFile> openCheckpoint(const std::string &path);

/// The checkpoints of a run: DIR/step-00000500.safetensors.
class CheckpointFolder {
public:
  explicit CheckpointFolder(std::string path) : path(std::move(path)) {}

  /// Makes the folder, locks it against other trainings, and removes what
  /// killed ones left half-written.
  Expected<FolderLock> prepare() const;
  std::string fileOf(uint64_t step) const;
  /// DIR/best.safetensors: the checkpoint with the lowest evaluation loss, kept
  /// beside the newest ones.
  std::string bestFile() const;
  /// Step and evaluation loss of that; nothing if there is none, or one that
  /// does not say.
  std::optional<CheckpointInfo> best() const;
  /// Steps of the checkpoints that are there, ascending.
  Expected<std::vector<uint64_t>> steps() const;
  /// Removes all but the newest `keep`; 0 keeps all.
  Error prune(size_t keep) const;
  /// Loads the newest checkpoint. If it is damaged: fails, saying what to do,
  /// or, with `skipDamaged`, goes on to the one before and adds the reason to
  /// `skipped`.
  Expected<CheckpointInfo> loadNewest(Session &session, bool skipDamaged,
                                      std::vector<std::string> &skipped) const;

private:
  std::string path;
};

} // namespace tert::session

#endif // TERT_SESSION_CHECKPOINT_H
