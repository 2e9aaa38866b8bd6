// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of a run on stderr: a bar on a terminal, otherwise an occasional
// line.

#ifndef TE_RUN_PROGRESS_H
#define TE_RUN_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tert::run {

/// One item of a line of progress.
struct ProgressFact {
  std::string text;
  /// If a terminal is too narrow, those of the highest rank are omitted first.
  int rank = 0;
};

/// `head`, followed by the facts, in order, that fit into `columns`, by rank. A
/// fact that begins with "(" belongs to the previous one.
std::string fitFacts(const std::string &head,
                     const std::vector<ProgressFact> &facts, size_t columns);

enum class Quiet : bool { No, Yes };

class Progress {
public:
  /// `unit` is the counted unit, for the lines in a file. A quiet one prints
  /// notes alone.
  Progress(uint64_t first, uint64_t total, std::string unit = "step",
           Quiet quiet = Quiet::No);
  ~Progress() { clear(); }

  /// Reports that step number `done` (from 1) is done, with its `facts`. A
  /// `notable` step always gets its line. The remaining time is added, with the
  /// rank 1.
  void update(uint64_t done, std::vector<ProgressFact> facts,
              bool notable = false);
  /// Prints a separate line above the bar.
  void note(const std::string &line);
  /// Removes the bar.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  std::string barOf(double share, int width) const;
  uint64_t first, total;
  std::string unit;
  bool terminal, quiet;
  bool drawn = false;
  Clock::time_point start, shown;
};

} // namespace tert::run

#endif // TE_RUN_PROGRESS_H
