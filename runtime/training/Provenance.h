// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of a run besides its settings: the program, the data, the initial
// weights. Stored in checkpoints, so that a run is not continued with other
// ones.

#ifndef TERT_TRAINING_PROVENANCE_H
#define TERT_TRAINING_PROVENANCE_H

#include "session/Session.h"
#include "support/Json.h"
#include "training/TrainingOptions.h"

#include <string>

namespace tert::training {

/// The files that a run reads, as JSON: `data`, `tokens` (its format),
/// `weights` if given, `eval data` if any, each with a digest
/// (session::digestOf).
session::Expected<nlohmann::ordered_json>
inputsOf(const TrainingOptions &options);

/// As JSON: `program` with the fields of the description that determine a step
/// (precision, loss, recipe, optimizer, model), `data` and `weights` with
/// digests of the files (session::digestOf), and the data's format. Paths are
/// not included: files may move. Weights only if they were given.
session::Expected<std::string> provenanceOf(const session::Session &session,
                                            const TrainingOptions &options);

/// The same without what decides about FP8: precision, policy and recipe.
std::string withoutPrecision(const std::string &provenance);

/// Differences between two such texts, one per line; empty if there are none. A
/// value in only one of them is a difference, except for the weights, which a
/// continuation need not name. An empty text, of a checkpoint of an older
/// version, does not differ. Policies are compared by their slots; if slots
/// differ anyway, because of another mesh, `comparesPolicies` compares the text
/// of --policy.
std::string provenanceChanges(const std::string &before, const std::string &now,
                              bool comparesPolicies = false);

} // namespace tert::training

#endif // TERT_TRAINING_PROVENANCE_H
