// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training loop: data in, steps, checkpoints, metrics and a plot out. It
// prints nothing and handles no signal; an Observer hears what happens.
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

/// What a run begins with.
struct Beginning {
  std::string data;       ///< "1.1M bytes of text, 8 windows of 256 a step"
  std::string evaluation; ///< Likewise; empty without one.
  uint64_t firstStep = 0; ///< Steps done before: of the checkpoint continued.
  uint64_t steps = 0;     ///< Of the whole run.
  std::string unit;       ///< Of rates: "tokens", "images", "samples".
};

/// Hears what happens in a run. All calls come from the thread of run().
class Observer {
public:
  virtual ~Observer() = default;
  /// A text for a person: something is not as it should be, and goes on.
  virtual void warning(const std::string &text) {}
  /// A text for a person that is no warning.
  virtual void note(const std::string &text) {}
  /// Before the first step, if there is one to do.
  virtual void begins(const Beginning &beginning) {}
  /// Before the first step, if the FP8 scales were calibrated.
  virtual void calibrated(const Calibration &calibration) {}
  /// After every step.
  virtual void stepped(const StepMetrics &step) {}
  /// Asked after every step: true ends the run as if it were done, with a
  /// checkpoint.
  virtual bool stopRequested() { return false; }
};

/// How a run ended.
struct Outcome {
  uint64_t first = 0, last = 0; ///< Steps first + 1 to last were run.
  bool stopped = false;         ///< Because the observer asked.
  /// Why the run ended itself before its time: `failures` says what to try, and
  /// nothing was saved of the steps since `checkpoint`.
  enum class GaveUp { No, SkippedSteps, Divergence };
  GaveUp gaveUp = GaveUp::No;
  /// A step failed half-way, so that the states are not those of any step.
  bool broken = false;
  /// What went wrong: nothing of it kept steps `first` to `last` from being
  /// right, unless `broken`.
  std::vector<session::Error> failures;

  double seconds = 0.0;
  double rate = 0.0;           ///< Beginning::unit a second, of the last steps.
  double loss = 0.0;           ///< Of step `last`.
  double meanLoss = 0.0;       ///< StepMetrics::meanLoss of step `last`,
  size_t meanOver = 0;         ///< and how many steps it is over.
  uint64_t nonfiniteSteps = 0; ///< With a non-finite loss or amax.
  uint64_t skippedSteps = 0;   ///< That updated nothing.
  uint64_t unlabelledSteps = 0; ///< Whose data has no label that counts.
  uint64_t watchEvents = 0; ///< Thresholds of TrainingOptions::watch crossed.

  /// The newest checkpoint of the run; empty if there is none.
  std::string checkpoint;
  uint64_t checkpointStep = 0;
  /// The newest one that the losses of later steps have shown to be good, where
  /// the loss is far above its best in the end; else empty.
  std::string goodCheckpoint;
  /// The lowest evaluation loss of the run, its step, and the checkpoint that
  /// was kept of it; NaN and empty without an evaluation or checkpoints.
  double bestEvalLoss = std::numeric_limits<double>::quiet_NaN();
  uint64_t bestStep = 0;
  std::string bestCheckpoint;
  /// Of the newest evaluation, and its step.
  double evalLoss = std::numeric_limits<double>::quiet_NaN();
  double evalAccuracy = std::numeric_limits<double>::quiet_NaN();
  uint64_t evalStep = 0;
  bool plotted = false; ///< The picture was written.
};

class Training {
public:
  virtual ~Training() = default;

  /// Prepares a run of the entry `train`: sets its scalars, gives the states
  /// their first values or loads the newest checkpoint, opens the data and the
  /// files to be written. Fails for everything that can be known before the
  /// first step. Session, observer and peers must outlive the result. With
  /// peers, the first rank alone writes files, but for checkpoints of states in
  /// parts, and only what its observer hears is for a person.
  static session::Expected<std::unique_ptr<Training>>
  create(session::Session &session, const TrainingOptions &options,
         Observer &observer, Peers *peers = nullptr);

  /// Runs the steps that are not done yet. Once.
  virtual Outcome run() = 0;
};

} // namespace tert::training

#endif // TERT_TRAINING_TRAINING_H
