// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the paths of a run's records.

#ifndef TERT_TRAINING_RECORDPATHS_H
#define TERT_TRAINING_RECORDPATHS_H

#include "support/Error.h"

#include <string>

namespace tert::training {

struct TrainingOptions;

/// Fails if the metrics or the plot would replace a file that no run wrote, one
/// that the run reads (including `program`), or each other.
session::Error checkRecordOverwrite(const TrainingOptions &options,
                                    const std::string &program);

} // namespace tert::training

#endif // TERT_TRAINING_RECORDPATHS_H
