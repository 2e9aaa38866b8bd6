// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of a run on stderr: a bar on a terminal, now and then a line
// elsewhere.

#ifndef TE_RUN_PROGRESS_H
#define TE_RUN_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tert::run {

/// One fact of a line of progress.
struct ProgressFact {
  std::string text;
  /// Where a terminal is too narrow for all, those of the highest rank are left
  /// out first.
  int rank = 0;
};

/// `head`, and of the facts, in their order, those that fit into `columns`, by
/// rank. A fact that begins with "(" belongs to the one before it.
std::string fitFacts(const std::string &head,
                     const std::vector<ProgressFact> &facts, size_t columns);

enum class Quiet : bool { No, Yes };

class Progress {
public:
  /// `unit` is what is counted, for the lines in a file. A quiet one shows
  /// notes alone.
  Progress(uint64_t first, uint64_t total, std::string unit = "step",
           Quiet quiet = Quiet::No);
  ~Progress() { clear(); }

  /// Step number `done` (from 1) is done, `facts` say what it showed. One that
  /// is `notable` gets its line, however soon after the one before. The time
  /// that is left is added, with the rank 1.
  void update(uint64_t done, std::vector<ProgressFact> facts,
              bool notable = false);
  /// A line of its own, above the bar.
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
