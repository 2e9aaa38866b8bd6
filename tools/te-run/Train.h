// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training run on a terminal.

#ifndef TE_RUN_TRAIN_H
#define TE_RUN_TRAIN_H

#include "Job.h"
#include "Progress.h"
#include "training/TrainingOptions.h"

#include <string>

namespace tert::run {

/// Trains, and shows progress and results; returns the exit code. `again` is
/// the command line that continues the run, for the message on Ctrl-C. A quiet
/// run prints warnings and results alone. `job` and `failure`: see Work.
int train(const Setup &setup, const training::TrainingOptions &options,
          const std::string &again, Quiet quiet, Job *job,
          std::string &failure);

} // namespace tert::run

#endif // TE_RUN_TRAIN_H
