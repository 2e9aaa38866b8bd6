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
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

struct StepMetrics {
  uint64_t step = 0; ///< From 1.
  double loss = 0.0;
  /// How many labels the loss is the mean of; nothing where it counts something
  /// else, or is a sum.
  std::optional<uint64_t> labels{};
  /// The mean loss that every record shows: of this step and those before it,
  /// Metrics::meanSteps in all, or as many as there are, each with the weight
  /// of its labels. Non-finite losses do not count, nor those without a label;
  /// NaN if there is no other. Both set by Metrics.
  double meanLoss = 0.0;
  size_t meanOver = 0; ///< How many losses it is the mean of.
  /// Of the evaluation after this step; NaN if there was none.
  double evalLoss = std::numeric_limits<double>::quiet_NaN();
  /// Likewise, of a classification (EvaluationResult::accuracy).
  double evalAccuracy = std::numeric_limits<double>::quiet_NaN();
  double gradNorm = 0.0; ///< NaN if the program gives none.
  double learningRate = 0.0;
  double rate = 0.0;       ///< Workload units a second.
  double recentRate = 0.0; ///< Averaged over some 20 steps.
  double seconds = 0.0;    ///< Since the run (or its continuation) started.
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

  /// `unit` is what rates count: "tokens".
  explicit Metrics(std::vector<std::string> slots, std::string unit = "tokens")
      : slots(std::move(slots)), rateKey(unit + "_per_second") {}

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
  std::string rateKey;
  std::vector<StepMetrics> history;
  std::string path;
  std::unique_ptr<std::FILE, Close> file;
};

} // namespace tert::training

#endif // TERT_TRAINING_METRICS_H
