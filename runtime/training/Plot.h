// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plot of a run: the loss, and the amax of every FP8 slot.

#ifndef TERT_TRAINING_PLOT_H
#define TERT_TRAINING_PLOT_H

#include "training/Metrics.h"

#include <string>
#include <string_view>

namespace tert::training {

/// Returns a self-contained SVG. Without slots it contains only the loss.
std::string plotRun(const Metrics &metrics, const std::string &title);

/// A run in a picture of several.
struct NamedRun {
  std::string name;
  const Metrics *metrics;
};

/// Returns an SVG with the mean losses and the evaluation losses of up to four
/// runs.
std::string plotRuns(const std::vector<NamedRun> &runs);

/// True if a file with this first line is such a plot.
bool isPlot(std::string_view firstLine);

} // namespace tert::training

#endif // TERT_TRAINING_PLOT_H
