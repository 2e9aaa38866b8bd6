// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of a run, for those who start one.

#ifndef TERT_TRAINING_OBSERVER_H
#define TERT_TRAINING_OBSERVER_H

#include "training/Calibration.h"
#include "training/Metrics.h"

#include <cstdint>
#include <string>

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

} // namespace tert::training

#endif // TERT_TRAINING_OBSERVER_H
