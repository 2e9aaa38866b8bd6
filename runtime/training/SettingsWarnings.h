// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings about settings with which a run would learn nothing, or not what was
// meant.

#ifndef TERT_TRAINING_SETTINGSWARNINGS_H
#define TERT_TRAINING_SETTINGSWARNINGS_H

#include "artifact/Description.h"

#include <string>
#include <vector>

namespace tert::training {

struct TrainingOptions;

/// One text for each. `rate` is the learning rate after the warm-up; `train`,
/// the entry, determines the optimizer and the defaults of scalars.
std::vector<std::string>
settingsWarnings(const TrainingOptions &options, double rate,
                 const session::EntryDescription &train);

} // namespace tert::training

#endif // TERT_TRAINING_SETTINGSWARNINGS_H
