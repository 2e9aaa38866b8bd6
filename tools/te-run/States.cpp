// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "States.h"

#include "Output.h"
#include "checkpoint/CheckpointFolder.h"
#include "training/Calibration.h"

#include <filesystem>

using namespace tert;
using namespace tert::session;

Expected<std::string> run::findCheckpoint(const std::string &checkpoint) {
  std::error_code code;
  if (!std::filesystem::is_directory(checkpoint, code) ||
      TensorFiles::isShardedCheckpoint(checkpoint))
    return checkpoint;
  CheckpointFolder folder(checkpoint);
  Expected<std::vector<uint64_t>> steps = folder.steps();
  if (!steps)
    return steps.takeError();
  if (steps->empty())
    return Error("'" + checkpoint + "' holds no checkpoint");
  return folder.fileOf(steps->back());
}

Expected<CheckpointInfo> run::loadStates(const Setup &setup, Session &session,
                                         const std::string &checkpoint,
                                         training::Ranks &ranks) {
  if (checkpoint.empty()) {
    const std::string &weights = setup.initialization.weights;
    Error error = weights.empty() ? Error::success()
                                  : ranks.checkFile("--weights", weights);
    if (!error)
      error = setup.initialize(session);
    return error ? Expected<CheckpointInfo>(std::move(error))
                 : CheckpointInfo();
  }
  if (!setup.initialization.weights.empty())
    return Error("--checkpoint holds every state, so --weights would have no "
                 "effect; give one of the two");
  Expected<std::string> found = findCheckpoint(checkpoint);
  if (!found)
    return found.takeError();
  // Meanwhile a training may write another one; folders may have other paths on
  // other hosts.
  const std::filesystem::path file(*found);
  Expected<std::vector<std::string>> names =
      ranks.gather("checkpoint", file.filename().string());
  if (!names)
    return names.takeError();
  const std::string chosen = file.parent_path() / names->front();
  if (Error error = ranks.checkFile("--checkpoint", chosen))
    return error;
  return loadCheckpoint(session, chosen, CheckpointCoverage::Needed,
                        ranks.asGather());
}

Error run::warnOfFreshScales(const Session &session,
                             const EntryDescription &entry,
                             const training::Ranks &ranks) {
  if (!ranks.isFirst())
    return Error::success();
  Expected<bool> fresh = training::hasFreshScales(session, entry);
  if (!fresh)
    return fresh.takeError();
  if (*fresh)
    reportWarning(
        "the FP8 scales of this program have never been updated: it casts "
        "with scales of 1, with which small values vanish and large ones are "
        "cut. " +
        std::string(training::updatesScales(session.description(), entry)
                        ? "Add --calibrate to measure them on these inputs "
                          "first, or take"
                        : "Take") +
        " those of a training with --checkpoint FILE");
  return Error::success();
}
