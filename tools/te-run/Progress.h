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

namespace tert::run {

class Progress {
public:
  /// `unit` is what is counted, for the lines in a file.
  Progress(uint64_t first, uint64_t total, std::string unit = "step");
  ~Progress() { clear(); }

  /// Step number `done` (from 1) is done, `text` says what it showed. One that
  /// is `notable` gets its line, however soon after the one before.
  void update(uint64_t done, const std::string &text, bool notable = false);
  /// A line of its own, above the bar.
  void note(const std::string &line);
  /// Removes the bar.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  std::string barOf(double share, int width) const;
  uint64_t first, total;
  std::string unit;
  bool terminal;
  bool drawn = false;
  Clock::time_point start, shown;
};

} // namespace tert::run

#endif // TE_RUN_PROGRESS_H
