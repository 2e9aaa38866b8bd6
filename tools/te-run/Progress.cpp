// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Progress.h"

#include "Output.h"

#include <algorithm>
#include <cmath>

using namespace tert::run;
using std::chrono::duration;

namespace {
constexpr double terminalPeriod = 0.1; // seconds
constexpr double filePeriod = 10.0;
constexpr int widestBar = 30;
constexpr int narrowestBar = 6;
constexpr size_t fileColumns = 80; ///< of a line that no terminal shows
} // namespace

std::string tert::run::fitFacts(const std::string &head,
                                const std::vector<ProgressFact> &facts,
                                size_t columns) {
  auto joined = [&](int most) {
    std::string line = head;
    for (const ProgressFact &fact : facts)
      if (fact.rank <= most && !fact.text.empty())
        line += (fact.text.front() == '(' ? " " : "  ") + fact.text;
    return line;
  };
  int most = 0;
  for (const ProgressFact &fact : facts)
    most = std::max(most, fact.rank);
  for (; most >= 0; --most)
    if (std::string line = joined(most); line.size() <= columns)
      return line;
  return head.substr(0, columns);
}

Progress::Progress(uint64_t first, uint64_t total, std::string unit,
                   Quiet quiet)
    : first(first), total(total), unit(std::move(unit)),
      terminal(isTerminal(stderr)), quiet(quiet == Quiet::Yes),
      start(Clock::now()), shown() {}

std::string Progress::barOf(double share, int width) const {
  if (!isUnicode()) {
    int full = static_cast<int>(share * width);
    return "[" + std::string(static_cast<size_t>(full), '#') +
           std::string(static_cast<size_t>(width - full), '.') + "]";
  }
  int halves = static_cast<int>(share * width * 2);
  std::string done, rest;
  for (int i = 0; i < halves / 2; ++i)
    done += "━";
  if (halves % 2)
    done += "╸";
  for (int i = (halves + 1) / 2; i < width; ++i)
    rest += "━";
  return coloured(stderr, Colour::Green, done) +
         coloured(stderr, Colour::Dim, rest);
}

void Progress::update(uint64_t done, std::vector<ProgressFact> facts,
                      bool notable) {
  if (quiet)
    return;
  Clock::time_point now = Clock::now();
  double period = terminal ? terminalPeriod : filePeriod;
  bool edge = notable || done == first + 1 || done == total;
  if (!edge && duration<double>(now - shown).count() < period)
    return;
  shown = now;
  double elapsed = duration<double>(now - start).count();
  double left = elapsed / static_cast<double>(done - first) *
                static_cast<double>(total - done);
  facts.push_back({formatDuration(left) + " left", 1});
  std::string digits = std::to_string(total);
  std::string counter =
      format("%*llu/%s", static_cast<int>(digits.size()),
             static_cast<unsigned long long>(done), digits.c_str());
  if (!terminal) {
    std::fprintf(stderr, "%s\n",
                 fitFacts(unit + " " + counter, facts, fileColumns).c_str());
    std::fflush(stderr);
    return;
  }
  double share = static_cast<double>(done) / static_cast<double>(total);
  const std::string head =
      format("%3d%% ", static_cast<int>(std::floor(share * 100)));
  const auto columns =
      static_cast<size_t>(std::max(terminalWidth(stderr) - 1, 0));
  const std::string line = fitFacts(head + " " + counter, facts, columns);
  // Followed by a space, and with brackets if it is ASCII.
  const int width = std::min(
      static_cast<int>(columns) - static_cast<int>(line.size()) - 3, widestBar);
  if (width < narrowestBar)
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
  else
    std::fprintf(stderr, "\r\033[K%s%s %s", head.c_str(),
                 barOf(share, width).c_str(), line.c_str() + head.size());
  std::fflush(stderr);
  drawn = true;
}

void Progress::note(const std::string &line) {
  clear();
  std::fprintf(stderr, "%s\n", line.c_str());
}

void Progress::clear() {
  if (drawn)
    std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn = false;
}
