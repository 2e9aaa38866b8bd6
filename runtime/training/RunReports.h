// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run writes beside its metrics for people to look at: a plot (--plot),
// a page (--page), and events for TensorBoard (--tensorboard).

#ifndef TERT_TRAINING_RUNREPORTS_H
#define TERT_TRAINING_RUNREPORTS_H

#include "session/Session.h"
#include "training/EventFile.h"
#include "training/Metrics.h"
#include "training/StepProfile.h"
#include "training/TrainingOptions.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace tert::training {

class RunReports {
public:
  /// Reports of the steps in `metrics`. All three must outlive the reports.
  RunReports(const session::Session &session, const TrainingOptions &options,
             const Metrics &metrics)
      : session(session), options(options), metrics(metrics) {}

  /// Creates the files. Fails if one of them cannot be written.
  session::Error create();

  /// Writes the events of the newest step, and the page if that is due.
  session::Error stepped();

  /// Writes the plot, if the run has one.
  session::Error writePlot() const;

  /// Writes the page, if the run has one.
  session::Error writePage(bool isRunning);

  /// Whether a profile of a step would be shown.
  bool needsProfile() const { return !options.page.empty() && !profile; }
  void setProfile(StepProfile measured) { profile = std::move(measured); }
  const std::optional<StepProfile> &getProfile() const { return profile; }

private:
  session::Error addEvents(const StepMetrics &step);
  std::string title() const;

  const session::Session &session;
  const TrainingOptions &options;
  const Metrics &metrics;
  std::optional<EventFile> events;
  std::optional<StepProfile> profile;          ///< Of one step.
  std::chrono::steady_clock::time_point paged; ///< When the page was written.
};

} // namespace tert::training

#endif // TERT_TRAINING_RUNREPORTS_H
