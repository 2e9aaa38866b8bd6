// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints: every state by name, and metadata about the model and the step;
// one safetensors file, or, for sharded states, a folder (docs/checkpoint.md).

#ifndef TERT_CHECKPOINT_CHECKPOINT_H
#define TERT_CHECKPOINT_CHECKPOINT_H

#include "checkpoint/CheckpointFit.h"
#include "checkpoint/ProgramStates.h"
#include "checkpoint/ShardedCheckpoint.h"
#include "checkpoint/StateCheck.h"
#include "checkpoint/TensorFiles.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::session {

/// Contents of a checkpoint besides the states.
struct CheckpointInfo {
  uint64_t step = 0; ///< Number of completed steps.
  uint64_t seed = 0; ///< Seed of the parameters and of the order of the data.
  /// Settings of the run (learning rate, schedule), as JSON; may be empty.
  std::string run;
  /// Loss of the evaluation after that step, if there was one.
  std::optional<double> evalLoss;
  /// The lowest evaluation loss of the run up to that step, and its step; 0: no
  /// evaluation.
  double bestLoss = 0.0;
  uint64_t bestStep = 0;
  /// Provenance of the run: program, data, weights (training/Provenance.h), as
  /// JSON; empty in checkpoints of older versions.
  std::string provenance{};
  /// Number of batches trained on, over all ranks and microbatches; if absent,
  /// one per step.
  std::optional<uint64_t> batches{};
  /// The quantity that gradients, and their FP8 scales, are gradients of
  /// (training/GradientUnit.h); empty if absent.
  std::string gradients{};
  /// That the run went on, or is to go on, with another program
  /// (training/Fallback.h), as JSON; empty if not.
  std::string fallback{};
  /// True if the states are sharded. Set when reading.
  bool isShardedCheckpoint = false;
  /// True if its slots or FP8 states differ from the program's, so that FP8
  /// states have no values until all ranks call initializeFp8(). Set when
  /// reading.
  bool reinitializesFp8 = false;
  /// What differs, if the mesh is no reason for it. Set when reading.
  std::string fp8Difference{};
};

/// True for files by saveCheckpoint(), of any model.
bool isCheckpoint(const TensorFiles &files);

/// Writes every state to `path`, except for the sums over microbatches, which
/// are zero between steps. A failure, states that do not pass the check, or a
/// kill at any time leaves the previous contents of `path`. If states are
/// sharded, `path` is a folder, and all ranks call this, with `gather`;
/// otherwise one rank writes a file.
Error saveCheckpoint(const ProgramStates &program, const std::string &path,
                     const CheckpointInfo &info,
                     StateCheck check = StateCheck::None,
                     const Gather &gather = {});

/// Reads this rank's shard of every state from `path`, and clears sums over
/// microbatches. States are matched by name, so the program may differ from the
/// one that wrote it in its entries, the order of its states and slots, and its
/// mesh. Refuses checkpoints that are damaged (checksums cover all tensors), of
/// another version, or do not fit, before any state changes; the error names
/// the reason. With `gather` all ranks call it, and divide the verification of
/// the files.
Expected<CheckpointInfo>
loadCheckpoint(ProgramStates &program, const std::string &path,
               CheckpointCoverage part = CheckpointCoverage::Whole,
               const Gather &gather = {});

/// Result of loading: a damaged checkpoint may be skipped, one of another model
/// may not.
struct CheckpointLoad {
  CheckpointInfo info;
  std::string damage;
  std::string mismatch;
};
CheckpointLoad tryCheckpoint(ProgramStates &program, const std::string &path,
                             CheckpointCoverage part,
                             const Gather &gather = {});

/// Opens a checkpoint of any model; refuses one that is damaged or of another
/// version.
Expected<TensorFiles> openCheckpoint(const std::string &path);

/// Verifies the checksums of all files, or of those whose number is `share`
/// modulo `shares`.
Error verifyChecksums(const TensorFiles &files, size_t share = 0,
                      size_t shares = 1);

/// The metadata besides the states; nothing if it is invalid.
std::optional<CheckpointInfo> infoOf(const TensorFiles &files);

} // namespace tert::session

#endif // TERT_CHECKPOINT_CHECKPOINT_H
