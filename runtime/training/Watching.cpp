// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Watching.h"

#include <cmath>

using namespace tert::session;
using namespace tert::training;

/// Lines of a kind, after which events are only counted.
static constexpr uint64_t mostLines = 10;

Expected<Watching> Watching::create(Session &session,
                                    const TrainingOptions &options,
                                    Observer &observer, bool isFirstRank,
                                    const SensitivityOptions &own,
                                    SharedArena arena) {
  const Description &program = session.description();
  Watching result(options, observer, program);
  result.watchesAmaxes = options.watch.needsAmaxes() && isFirstRank &&
                         program.findStateOfKind("fp8_scale");
  if (options.watch.isAsked && isFirstRank && !result.watchesAmaxes &&
      !options.fallback.isActive)
    observer.note("'" + session.path() +
                  "' carries no FP8 scales from step to step, so that there "
                  "are no amaxes to watch; --watch skipped=N works here, too");
  const FallbackOptions &chosen = options.fallback;
  if (!chosen.program.empty() && !chosen.isActive)
    if (Error error = Fallback::read(chosen.program, program, options)
                          .moveTo(result.fallback))
      return error;
  if (!options.probe.every)
    return result;
  if (chosen.isActive && !program.findEntry("calibrate")) {
    observer.note("'" + session.path() +
                  "' has no entry 'calibrate': there are no more probes");
    return result;
  }
  if (Error error = Probe::create(session, options.probe, own, std::move(arena))
                        .moveTo(result.probe))
    return error;
  return result;
}

void Watching::beforeStep(uint64_t step, const Fp8Monitor &fp8) {
  probed.reset();
  if (!probe || !probe->isDue(step))
    return;
  Expected<std::vector<float>> scales = fp8.scales();
  Expected<ProbeResult> result =
      scales ? probe->run(step, *scales)
             : Expected<ProbeResult>(scales.takeError());
  if (result)
    probed = std::move(*result);
  else if (++failures <= mostLines)
    observer->warning("no probe before step " + std::to_string(step) + ": " +
                      result.takeError().message());
}

size_t Watching::afterStep(StepMetrics &now, const std::vector<float> &scales,
                           uint64_t skippedInARow, bool lossIsSum) {
  now.events = watch.update(watchesAmaxes ? now.amaxes : std::vector<float>(),
                            scales, skippedInARow);
  tell(now.step, now.events);
  if (probed) {
    if (probe->isOfStep())
      probed->gap =
          (lossIsSum ? now.loss / probed->labels : now.loss) - probed->loss;
    const std::vector<WatchEvent> events = watch.judge(*probed);
    tell(now.step, events);
    now.events.insert(now.events.end(), events.begin(), events.end());
    now.probe = std::move(probed);
  }
  considerFallback(now.step, now.events);
  now.fallback = reason;
  return now.events.size();
}

void Watching::tell(uint64_t step, const std::vector<WatchEvent> &events) {
  for (const std::string &line : describeEvents(events))
    if (++lines <= mostLines)
      observer->warning("step " + std::to_string(step) + ": " + line +
                        (lines == mostLines
                             ? "; later ones are only counted, and in --metrics"
                             : ""));
}

void Watching::considerFallback(uint64_t step,
                                const std::vector<WatchEvent> &events) {
  reason.clear();
  if (!fallback)
    return;
  for (WatchEvent event : events) {
    if (fallback->helps(event)) {
      event.remedy.clear();
      reason = event.describe();
      return;
    }
    if (event.what != "zero" && !toldOfNoHelp) {
      observer->warning("step " + std::to_string(step) +
                        ": the run does not go on with '" + fallback->path() +
                        "' (--fallback), which has " + event.layer +
                        " in FP8, too");
      toldOfNoHelp = true;
    }
  }
}
