// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run showed, step by step: kept for the plot, written as JSON lines.

#ifndef TE_RUN_METRICS_H
#define TE_RUN_METRICS_H

#include "session/Error.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace tert::run {

struct StepMetrics {
  uint64_t step = 0; ///< From 1.
  double loss = 0.0;
  double gradNorm = 0.0; ///< NaN if the program gives none.
  double learningRate = 0.0;
  double tokensPerSecond = 0.0;
  double seconds = 0.0; ///< Since the run (or its continuation) started.
  /// One per slot, on the steps where they are taken; else empty.
  std::vector<float> amaxes;
};

class Metrics {
public:
  explicit Metrics(std::vector<std::string> slots) : slots(std::move(slots)) {}

  /// Writes to `path` from now on. With `resumeStep`, lines of the file up to
  /// that step are kept and read, later ones (of a run that was killed) are
  /// dropped; without, the file starts empty.
  session::Error open(const std::string &path, uint64_t resumeStep);
  session::Error add(StepMetrics metrics);
  const std::vector<StepMetrics> &steps() const { return history; }
  const std::vector<std::string> &slotNames() const { return slots; }

private:
  struct Close {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::vector<std::string> slots;
  std::vector<StepMetrics> history;
  std::string path;
  std::unique_ptr<std::FILE, Close> file;
};

} // namespace tert::run

#endif // TE_RUN_METRICS_H
