// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that all ranks of a run have the same settings.

#ifndef TERT_TRAINING_AGREEMENT_H
#define TERT_TRAINING_AGREEMENT_H

#include "artifact/Artifact.h"

#include <string>

namespace tert::training {

class Peers;
struct TrainingOptions;

/// Fails, on all ranks alike, unless they have the same settings, given as a
/// JSON object; the error names the first rank with other ones, and these. Does
/// nothing without peers.
session::Error agreeOn(Peers *peers, const std::string &settings);

/// Also compares the files that a training reads. Ranks that save or evaluate
/// after other steps would wait for the rest forever; those with other initial
/// values or data would train another model.
session::Error agreeOnSettings(Peers *peers, const TrainingOptions &options,
                               const session::Artifact &artifact);

} // namespace tert::training

#endif // TERT_TRAINING_AGREEMENT_H
