// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Metrics of a run, step by step: kept for the plot, written as JSON lines.

#ifndef TERT_TRAINING_METRICS_H
#define TERT_TRAINING_METRICS_H

#include "support/Error.h"
#include "training/Probe.h"
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
  uint64_t step = 0; ///< Counted from 1.
  double loss = 0.0;
  /// Number of labels in the loss's mean; nothing if it counts something else,
  /// or is a sum.
  std::optional<uint64_t> labels{};
  /// The mean loss shown in every record: over the last Metrics::meanSteps
  /// steps including this one, or as many as there are, weighted by their
  /// labels. Losses that are non-finite or without a label do not count; NaN if
  /// there are no others. Both fields are set by Metrics.
  double meanLoss = 0.0;
  size_t meanOver = 0; ///< Number of losses in this mean.
  /// Loss of an evaluation after this step; NaN if there was none.
  double evalLoss = std::numeric_limits<double>::quiet_NaN();
  /// The evaluation's accuracy, of a classification
  /// (EvaluationResult::accuracy).
  double evalAccuracy = std::numeric_limits<double>::quiet_NaN();
  /// Rows of mixtures of experts that found no space; nothing if all have some.
  std::optional<uint64_t> droppedRows{};
  double gradNorm = 0.0; ///< NaN if the program does not compute it.
  double learningRate = 0.0;
  double rate = 0.0;       ///< Workload units per second.
  double recentRate = 0.0; ///< Averaged over some 20 steps.
  /// Rate of the step's products as a share of the device's (StepProfile.h);
  /// NaN if one of them is unknown.
  double utilization = std::numeric_limits<double>::quiet_NaN();
  uint64_t memory = 0;  ///< Peak of the device so far, in bytes.
  double seconds = 0.0; ///< Since the start of the run (or of its
                        ///< continuation).
  /// One per slot, on the steps where they are sampled; otherwise empty.
  std::vector<float> amaxes;
  /// True if the update was skipped, because a value was not finite.
  bool skipped = false;
  std::vector<WatchEvent> events;   ///< Thresholds that were crossed.
  std::optional<ProbeResult> probe; ///< Of a probe before the step.
  /// Why the run goes on with its fallback after the step, if it does.
  std::string fallback;
};

class Metrics {
public:
  /// Number of steps in the mean loss.
  static constexpr size_t meanSteps = 50;

  /// `unit` is the unit of rates: "tokens".
  explicit Metrics(std::vector<std::string> slots, std::string unit = "tokens")
      : slots(std::move(slots)), rateKey(unit + "_per_second") {}

  /// The name of such a file in the folder of a run.
  static constexpr char fileName[] = "metrics.jsonl";
  /// Reads all lines of such a file; fails if it has none.
  static session::Expected<Metrics> read(const std::string &path);

  /// Writes to `path` from now on. With `resumeStep`, lines of the file up to
  /// that step are kept and read, later ones (of a run that was killed) are
  /// dropped; otherwise the file starts empty.
  session::Error open(const std::string &path, uint64_t resumeStep);
  /// Also sets the step's mean loss, from the previous steps.
  session::Error add(StepMetrics metrics);
  const std::vector<StepMetrics> &steps() const { return history; }
  const std::vector<std::string> &slotNames() const { return slots; }
  /// Unit of rates.
  std::string unit() const { return rateKey.substr(0, rateKey.find('_')); }

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
