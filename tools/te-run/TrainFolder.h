// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training of a model in a folder of Hugging Face.

#ifndef TE_RUN_TRAINFOLDER_H
#define TE_RUN_TRAINFOLDER_H

#include "ModelFolder.h"
#include "Setup.h"
#include "training/TrainingOptions.h"

namespace tert::run {

/// All that is read like --data.
std::vector<training::DataNames *> allData(training::TrainingOptions &training);

/// Makes the program of the model, with the entries that the training needs,
/// and the tokens of its texts, which then are those of `setup` and `training`.
session::Error useFolder(ModelFolder folder, Setup &setup,
                         training::TrainingOptions &training, bool isQuiet);

} // namespace tert::run

#endif // TE_RUN_TRAINFOLDER_H
