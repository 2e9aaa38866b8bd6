// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What te-run train was asked to do.

#ifndef TE_RUN_TRAINOPTIONS_H
#define TE_RUN_TRAINOPTIONS_H

#include "Data.h"
#include "Schedule.h"
#include "Setup.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::run {

struct TrainOptions {
  Setup setup;
  bool seedGiven = false;
  std::string data;
  DataFormat format = DataFormat::Auto;
  uint64_t steps = 0;
  Schedule::Kind schedule = Schedule::Kind::Constant;
  std::optional<double> rate, weightDecay, clip, beta1, beta2, epsilon;
  double minimumRate = 0.0;
  uint64_t warmup = 0;
  std::string checkpoints;
  uint64_t every = 500;
  size_t keep = 3;
  bool resume = false, skipDamaged = false;
  std::string metrics, plot;
  uint64_t amaxEvery = 0;
  /// The command line that started the run, for the message on Ctrl-C.
  std::string again;
};

/// Trains; the exit code.
int train(const TrainOptions &options);

} // namespace tert::run

#endif // TE_RUN_TRAINOPTIONS_H
