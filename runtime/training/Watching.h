// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a training looks at besides its loss: amaxes against their scales, and
// probes; and when it goes on with its fallback.

#ifndef TERT_TRAINING_WATCHING_H
#define TERT_TRAINING_WATCHING_H

#include "training/Fallback.h"
#include "training/Fp8Monitor.h"
#include "training/Observer.h"
#include "training/TrainingOptions.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::training {

class Watching {
public:
  /// `own` describes the run's batches, for probes. Its references must outlive
  /// it. Only the first rank watches.
  static session::Expected<Watching>
  create(session::Session &session, const TrainingOptions &options,
         Observer &observer, bool isFirstRank, const SensitivityOptions &own,
         session::SharedArena arena);

  /// True if it needs the amaxes of every step.
  bool needsAmaxes() const { return watchesAmaxes; }
  /// Data of probes that is not the training's; null if there is none.
  const BatchSource *probeData() const {
    return probe ? probe->source() : nullptr;
  }
  /// Call before each step (from 1): the probe, if one is due. One that fails
  /// is no reason to end a run.
  void beforeStep(uint64_t step, const Fp8Monitor &fp8);
  /// Call after it: adds the events and the probe to `now`, and tells of them.
  /// `scales` are those of the next step; without them `now.amaxes` is not
  /// watched. Returns the number of events.
  size_t afterStep(StepMetrics &now, const std::vector<float> &scales,
                   uint64_t skippedInARow, bool lossIsSum);
  /// Why the run should go on with its fallback, from the last step's events;
  /// empty if it should not.
  const std::string &fallbackReason() const { return reason; }

private:
  Watching(const TrainingOptions &options, Observer &observer,
           const session::Description &program)
      : observer(&observer), watch(options.watch, program) {}
  void tell(uint64_t step, const std::vector<WatchEvent> &events);
  void considerFallback(uint64_t step, const std::vector<WatchEvent> &events);

  Observer *observer;
  Watch watch;
  bool watchesAmaxes = false;
  std::optional<Probe> probe;
  std::optional<ProbeResult> probed; ///< Of the step that follows.
  std::optional<Fallback> fallback;
  std::string reason;
  bool toldOfNoHelp = false;
  uint64_t lines = 0, failures = 0; ///< that were told
};

} // namespace tert::training

#endif // TERT_TRAINING_WATCHING_H
