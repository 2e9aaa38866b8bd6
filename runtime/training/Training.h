// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training loop: reads data, runs steps, writes checkpoints, metrics and a
// plot. It prints nothing and handles no signal; an Observer receives all
// events.
//
//   MyObserver observer;
//   auto training = Training::create(*session, options, observer);
//   if (training)
//     Outcome outcome = (*training)->run();
//
// Messages name settings by the flags of te-run train, which has one for each.

#ifndef TERT_TRAINING_TRAINING_H
#define TERT_TRAINING_TRAINING_H

#include "training/Calibration.h"
#include "training/Metrics.h"
#include "training/Peers.h"
#include "training/TrainingOptions.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tert::training {

/// Description of a run at its start.
struct Beginning {
  std::string data;       ///< "1.1M bytes of text, 8 windows of 256 a step"
  std::string evaluation; ///< The same for the evaluation; empty if there is
                          ///< none.
  uint64_t firstStep = 0; ///< Number of previous steps: those of the checkpoint
                          ///< continued.
  uint64_t steps = 0;     ///< Number of steps of the entire run.
  std::string unit;       ///< Unit of rates: "tokens", "images", "samples".
};

/// Receives the events of a run. All calls come from the thread of run().
class Observer {
public:
  virtual ~Observer() = default;
  /// A message about a problem that does not end the run.
  virtual void warning(const std::string &text) {}
  /// A message that is not a warning.
  virtual void note(const std::string &text) {}
  /// Before the first step, if there is one to run.
  virtual void begins(const Beginning &beginning) {}
  /// Before the first step, if the FP8 scales were calibrated.
  virtual void calibrated(const Calibration &calibration) {}
  /// After every step.
  virtual void stepped(const StepMetrics &step) {}
  /// Called after every step: true ends the run as if it were complete, with a
  /// checkpoint.
  virtual bool stopRequested() { return false; }
};

/// Result of a run.
struct Outcome {
  uint64_t first = 0, last = 0; ///< Steps first + 1 to last were run.
  bool stopped = false;         ///< On the observer's request.
  /// The reason why the run ended itself early: `failures` contains advice, and
  /// no steps since `checkpoint` were saved.
  enum class EarlyEnd { No, SkippedSteps, Divergence };
  EarlyEnd earlyEnd = EarlyEnd::No;
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

class Training {
public:
  virtual ~Training() = default;

  /// Prepares a run of the entry `train`: sets its scalars, initializes the
  /// states or loads the newest checkpoint, opens the data and the output
  /// files. Detects all errors that can be found before the first step.
  /// Session, observer and peers must outlive the result. With peers, only the
  /// first rank writes files, except for sharded checkpoints, and only its
  /// observer's messages are for the user.
  static session::Expected<std::unique_ptr<Training>>
  create(session::Session &session, const TrainingOptions &options,
         Observer &observer, Peers *peers = nullptr);

  /// Runs the remaining steps. Call it once.
  virtual Outcome run() = 0;
};

} // namespace tert::training

#endif // TERT_TRAINING_TRAINING_H
