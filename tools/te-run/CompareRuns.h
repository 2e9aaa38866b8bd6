// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two runs side by side.

#ifndef TE_RUN_COMPARERUNS_H
#define TE_RUN_COMPARERUNS_H

#include "support/Error.h"

#include <string>

namespace tert::run {

/// True for the folder of a run, which has metrics in it, and for a file of
/// metrics (training/Metrics.h).
bool isRun(const std::string &path);

/// Prints the settings in which two runs differ, their results, and their
/// losses at some of the steps that both have; writes a picture to `plot`, if
/// that is not empty.
session::Error compareRuns(const std::string &a, const std::string &b,
                           const std::string &plot);

} // namespace tert::run

#endif // TE_RUN_COMPARERUNS_H
