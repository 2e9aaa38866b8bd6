// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints: every state by name, and metadata that says of which model, at
// which step; one safetensors file, or, of ranks that hold parts of the states,
// a folder (docs/checkpoint.md).

#ifndef TERT_SESSION_CHECKPOINT_H
#define TERT_SESSION_CHECKPOINT_H

#include "session/CheckpointFit.h"
#include "session/CheckpointParts.h"
#include "session/Session.h"
#include "session/StateCheck.h"
#include "session/TensorFiles.h"

#include <cstdint>
#include <optional>
#include <string>

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
  /// What gradients, and with them their FP8 scales, are gradients of
  /// (training/GradientUnit.h); empty if it does not say.
  std::string gradients{};
  /// Whether ranks held parts of the states. Of what is read.
  bool isInParts = false;
  /// Whether its slots are others, so that the states of FP8 have no values
  /// before initializeFp8(), by all ranks together. Of what is read.
  bool beginsFp8Anew = false;
};

/// True for what saveCheckpoint() wrote, of whatever model.
bool isCheckpoint(const TensorFiles &files);

/// Writes every state to `path`, but for the sums over microbatches, which are
/// zero between two steps. A failure, states that do not pass the check,
/// or a kill at any moment leaves what was at `path` before. Where ranks hold
/// parts of the states, `path` is a folder, and all of them call it, with
/// `gather`; else one rank writes a file.
Error saveCheckpoint(const Session &session, const std::string &path,
                     const CheckpointInfo &info,
                     StateCheck check = StateCheck::None,
                     const Gather &gather = {});

/// Reads what this rank holds of every state from `path`, and clears sums over
/// microbatches: by name, so that the program may have other entries than the
/// one that wrote it, its states and slots in another order, and another mesh.
/// Refuses, before any state changes, what is damaged (checksums cover all
/// tensors), of another version, or does not fit; says which, and what does not
/// fit. With `gather` all ranks call it, and look through the files together.
Expected<CheckpointInfo>
loadCheckpoint(Session &session, const std::string &path,
               CheckpointPart part = CheckpointPart::Whole,
               const Gather &gather = {});

/// How loading went: what is damaged can be stepped over, what is of another
/// model cannot.
struct CheckpointLoad {
  CheckpointInfo info;
  std::string damage;
  std::string mismatch;
};
CheckpointLoad tryCheckpoint(Session &session, const std::string &path,
                             CheckpointPart part, const Gather &gather = {});

/// Opens a checkpoint of whatever model; refuses one that is damaged or of
/// another version.
Expected<TensorFiles> openCheckpoint(const std::string &path);

/// Reads all of the files, or those whose number is `share` modulo `shares`;
/// fails if one does not have the checksum that it has been given.
Error checkWhole(const TensorFiles &files, size_t share = 0, size_t shares = 1);

/// What the metadata says beside the states; nothing if that cannot be.
std::optional<CheckpointInfo> infoOf(const TensorFiles &files);

} // namespace tert::session

#endif // TERT_SESSION_CHECKPOINT_H
