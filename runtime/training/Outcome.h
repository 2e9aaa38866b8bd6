// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result of a run.

#ifndef TERT_TRAINING_OUTCOME_H
#define TERT_TRAINING_OUTCOME_H

#include "support/Error.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tert::training {

/// Result of a run.
struct Outcome {
  uint64_t first = 0, last = 0; ///< Steps first + 1 to last were run.
  bool stopped = false;         ///< On the observer's request.
  /// The reason why the run ended itself early: `failures` contains advice, and
  /// no steps since `checkpoint` were saved.
  enum class EarlyEnd {
    No,
    SkippedSteps,
    Divergence,
    Patience ///< No failure: the states are saved as at the end of a run.
  };
  EarlyEnd earlyEnd = EarlyEnd::No;
  /// Why the run ended early, after a checkpoint, to be continued with the
  /// other program of TrainingOptions::fallback; empty if it did not.
  std::string fallbackReason;
  /// A step failed partway, so that the states are not those of any step.
  bool broken = false;
  /// Errors; steps `first` to `last` are correct despite them, unless `broken`.
  std::vector<session::Error> failures;

  double seconds = 0.0;
  double rate = 0.0;            ///< Beginning::unit per second, over the last
                                ///< steps.
  double loss = 0.0;            ///< Loss of step `last`.
  double meanLoss = 0.0;        ///< StepMetrics::meanLoss of step `last`,
  size_t meanOver = 0;          ///< and its number of steps.
  uint64_t nonfiniteSteps = 0;  ///< Steps with a non-finite loss or amax.
  uint64_t skippedSteps = 0;    ///< Steps without an update.
  uint64_t unlabelledSteps = 0; ///< Steps whose data has no counted label.
  uint64_t watchEvents = 0; ///< Number of thresholds of TrainingOptions::watch
                            ///< that were crossed.

  /// The newest checkpoint of the run; empty if there is none.
  std::string checkpoint;
  uint64_t checkpointStep = 0;
  /// If the loss is far above its best at the end: the newest checkpoint that
  /// the losses of later steps have shown to be good; otherwise empty.
  std::string goodCheckpoint;
  /// The lowest evaluation loss of the run, its step, and its checkpoint; NaN
  /// and empty without an evaluation or checkpoints.
  double bestEvalLoss = std::numeric_limits<double>::quiet_NaN();
  uint64_t bestStep = 0;
  std::string bestCheckpoint;
  /// Loss of the last evaluation, and its step.
  double evalLoss = std::numeric_limits<double>::quiet_NaN();
  double evalAccuracy = std::numeric_limits<double>::quiet_NaN();
  uint64_t evalStep = 0;
  bool plotted = false; ///< The plot was written.
};

} // namespace tert::training

#endif // TERT_TRAINING_OUTCOME_H
