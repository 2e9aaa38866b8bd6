// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That all ranks of a run were asked for the same run.

#ifndef TERT_TRAINING_AGREEMENT_H
#define TERT_TRAINING_AGREEMENT_H

#include "session/Artifact.h"

#include <string>

namespace tert::training {

class Peers;
struct TrainingOptions;

/// Fails, on all ranks alike, unless they have the same settings, given as a
/// JSON object: names the first rank with others, and these. Nothing without
/// peers.
session::Error agreeOn(Peers *peers, const std::string &settings);

/// The same of a training and the files that it reads: ranks that save or
/// evaluate after other steps would wait for the rest for ever, and those that
/// begin with other values or read other data would learn something else.
session::Error agreeOnSettings(Peers *peers, const TrainingOptions &options,
                               const session::Artifact &artifact);

} // namespace tert::training

#endif // TERT_TRAINING_AGREEMENT_H
