// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page about a run, for a browser.

#ifndef TERT_TRAINING_RUNPAGE_H
#define TERT_TRAINING_RUNPAGE_H

#include "training/Metrics.h"
#include "training/StepProfile.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tert::training {

struct RunPage {
  std::string title;
  uint64_t steps = 0;     ///< Of the run.
  bool isRunning = false; ///< The page then reloads itself.
  const Metrics *metrics = nullptr;
  const StepProfile *profile = nullptr; ///< Null: none yet.
  /// What the program's memory is planned for, in bytes.
  std::vector<std::pair<std::string, uint64_t>> memory;
};

/// Returns a self-contained HTML page: where the run is, losses and amaxes as
/// plotRun() draws them, thresholds of --watch that were crossed by slot, the
/// newest amaxes, the slowest ops, the memory.
std::string writePage(const RunPage &page);

/// True if a file with this first line is such a page.
bool isRunPage(std::string_view firstLine);

} // namespace tert::training

#endif // TERT_TRAINING_RUNPAGE_H
