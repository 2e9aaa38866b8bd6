// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run showed, step by step: kept for the plot, written as JSON lines.

#ifndef TERT_TRAINING_METRICS_H
#define TERT_TRAINING_METRICS_H

#include "session/Error.h"
#include "training/Watch.h"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tert::training {

struct StepMetrics {
  uint64_t step = 0; ///< From 1.
  double loss = 0.0;
  /// The mean loss that every record shows: of this step and those before it,
  /// Metrics::meanSteps in all, or as many as there are. Non-finite losses do
  /// not count; NaN if there is no other. Both set by Metrics.
  double meanLoss = 0.0;
  size_t meanOver = 0; ///< How many losses it is the mean of.
  /// Of the evaluation after this step; NaN if there was none.
  double evalLoss = std::numeric_limits<double>::quiet_NaN();
  double gradNorm = 0.0; ///< NaN if the program gives none.
  double learningRate = 0.0;
  double tokensPerSecond = 0.0;
  double recentTokensPerSecond = 0.0; ///< Averaged over some 20 steps.
  double seconds = 0.0; ///< Since the run (or its continuation) started.
  /// One per slot, on the steps where they are taken; else empty.
  std::vector<float> amaxes;
  /// Whether the update was skipped, because something was not finite.
  bool skipped = false;
  std::vector<WatchEvent> events; ///< Thresholds that were crossed.
};

class Metrics {
public:
  /// Over how many steps the mean loss is taken.
  static constexpr size_t meanSteps = 50;

  explicit Metrics(std::vector<std::string> slots) : slots(std::move(slots)) {}

  /// Writes to `path` from now on. With `resumeStep`, lines of the file up to
  /// that step are kept and read, later ones (of a run that was killed) are
  /// dropped; without, the file starts empty.
  session::Error open(const std::string &path, uint64_t resumeStep);
  /// Also sets the step's mean loss, from the steps before it.
  session::Error add(StepMetrics metrics);
  const std::vector<StepMetrics> &steps() const { return history; }
  const std::vector<std::string> &slotNames() const { return slots; }

private:
  void keep(StepMetrics metrics);
  struct Close {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::vector<std::string> slots;
  std::vector<StepMetrics> history;
  std::string path;
  std::unique_ptr<std::FILE, Close> file;
};

} // namespace tert::training

#endif // TERT_TRAINING_METRICS_H
