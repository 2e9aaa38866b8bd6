// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Schedule.h"

#include "support/File.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace tert::session;
using namespace tert::training;

/// The factor of a step, counted from 1.
static double factorAt(const std::vector<Schedule::Point> &points,
                       uint64_t step) {
  if (points.empty())
    return 1.0;
  auto after =
      std::upper_bound(points.begin(), points.end(), step,
                       [](uint64_t step, const Schedule::Point &point) {
                         return step < point.step;
                       });
  if (after == points.begin())
    return points.front().factor;
  const Schedule::Point &before = *std::prev(after);
  if (after == points.end() || before.step == step)
    return before.factor;
  const double share = static_cast<double>(step - before.step) /
                       static_cast<double>(after->step - before.step);
  return before.factor + (after->factor - before.factor) * share;
}

double Schedule::at(uint64_t step) const {
  if (kind == Kind::Points)
    return rate * factorAt(points, step + 1);
  if (step < warmup)
    return rate * static_cast<double>(step + 1) / static_cast<double>(warmup);
  if (kind == Kind::Constant)
    return rate;
  if (kind == Kind::InverseSqrt)
    return std::max(minimum, rate * std::sqrt(static_cast<double>(warmup) /
                                              static_cast<double>(step + 1)));
  // From `rate` at the step `first` to `minimum` at the last: the first step
  // after the warm-up, or the last before the decay.
  uint64_t first = warmup;
  if (kind == Kind::WarmupStableDecay) {
    const uint64_t length =
        std::max<uint64_t>(1, decay ? decay : steps / 10) + 1;
    first = std::max(warmup, steps > length ? steps - length : 0);
    if (step <= first)
      return rate;
  }
  double span = static_cast<double>(steps > first + 1 ? steps - first - 1 : 1);
  double progress = std::min(1.0, static_cast<double>(step - first) / span);
  constexpr double pi = 3.141592653589793;
  double share = kind == Kind::Cosine ? 0.5 * (1.0 + std::cos(pi * progress))
                                      : 1.0 - progress;
  return minimum + (rate - minimum) * share;
}

/// Removes the next word of a line, which ends at a space or a comma.
static std::string_view takeWord(std::string_view &line) {
  constexpr const char *blanks = " \t\r,";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

template <typename Number>
static bool parse(std::string_view word, Number &number) {
  auto [end, code] =
      std::from_chars(word.data(), word.data() + word.size(), number);
  return code == std::errc() && end == word.data() + word.size();
}

Expected<std::vector<Schedule::Point>>
tert::training::readSchedule(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  std::vector<Schedule::Point> points;
  std::string_view rest(file->data(), file->size());
  for (size_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    line = line.substr(0, line.find('#'));
    const std::string_view step = takeWord(line);
    if (step.empty())
      continue;
    const std::string_view factor = takeWord(line);
    Schedule::Point point;
    auto fail = [&](const std::string &why) {
      return Error("line " + std::to_string(number) + " of the schedule '" +
                   path + "' " + why);
    };
    if (!parse(step, point.step) || point.step == 0 ||
        !parse(factor, point.factor) || !takeWord(line).empty() ||
        !std::isfinite(point.factor) || point.factor < 0)
      return fail("is not a step, from 1, and a factor of the learning rate, "
                  "at least 0: '1000 0.5'");
    if (!points.empty() && point.step <= points.back().step)
      return fail("has step " + std::to_string(point.step) + " after step " +
                  std::to_string(points.back().step) +
                  "; order the lines by their steps");
    points.push_back(point);
  }
  if (points.empty())
    return Error("the schedule '" + path +
                 "' has no lines; each has a step and a factor of the "
                 "learning rate: '1000 0.5'");
  return points;
}
