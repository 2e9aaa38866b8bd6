// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture of a run: the loss, and the amax of every FP8 slot.

#ifndef TE_RUN_PLOT_H
#define TE_RUN_PLOT_H

#include "Metrics.h"

#include <string>

namespace tert::run {

/// A self-contained SVG. Without slots it has the loss alone.
std::string plotRun(const Metrics &metrics, const std::string &title);

} // namespace tert::run

#endif // TE_RUN_PLOT_H
