// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run is made of, beside its settings: the program, the data, the
// weights it began with. A checkpoint carries it, so that a run is not
// continued with something else.

#ifndef TERT_TRAINING_PROVENANCE_H
#define TERT_TRAINING_PROVENANCE_H

#include "session/Json.h"
#include "session/Session.h"
#include "training/TrainingOptions.h"

#include <string>

namespace tert::training {

/// Of the files that a run reads, as JSON: `data`, `tokens` (how it is read),
/// `weights` if they are named, `eval data` if there is any, each a digest
/// (session::digestOf).
session::Expected<nlohmann::ordered_json>
inputsOf(const TrainingOptions &options);

/// As JSON: `program` with what the description says that decides the meaning
/// of a step (precision, loss, recipe, optimizer, model), `data` and `weights`
/// with digests of the files (session::digestOf), and how the data is read.
/// The paths are not in it: files may move. Weights only if they were named.
session::Expected<std::string> provenanceOf(const session::Session &session,
                                            const TrainingOptions &options);

/// How two of them differ, a line for each; empty if they do not. What only one
/// of them says is a difference, except the weights, of which a continuation
/// need not say anything. A text that is empty, of a checkpoint of an older
/// version, does not differ. Policies are known by their slots, but where those
/// of another mesh are others anyway, `comparesPolicies`: what --policy said.
std::string provenanceChanges(const std::string &before, const std::string &now,
                              bool comparesPolicies = false);

} // namespace tert::training

#endif // TERT_TRAINING_PROVENANCE_H
