// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture of a run: the loss, and the amax of every FP8 slot.

#ifndef TERT_TRAINING_PLOT_H
#define TERT_TRAINING_PLOT_H

#include "training/Metrics.h"

#include <string>
#include <string_view>

namespace tert::training {

/// A self-contained SVG. Without slots it has the loss alone.
std::string plotRun(const Metrics &metrics, const std::string &title);

/// Whether a file with such a first line is one of these.
bool isPlot(std::string_view firstLine);

} // namespace tert::training

#endif // TERT_TRAINING_PLOT_H
