// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The learning rate over a run.

#ifndef TERT_TRAINING_SCHEDULE_H
#define TERT_TRAINING_SCHEDULE_H

#include "support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tert::training {

struct Schedule {
  enum class Kind {
    Constant,
    Cosine,
    Linear,
    /// Warm-up, stable, decay: constant, then linear over the last `decay`
    /// steps.
    WarmupStableDecay,
    /// rate * sqrt(warmup / (step + 1)), at least `minimum`; needs a warm-up.
    InverseSqrt,
    /// rate * the factor of `points`, without a warm-up of its own.
    Points
  };
  /// A factor at a step, counted from 1.
  struct Point {
    uint64_t step = 1;
    double factor = 1.0;
  };
  Kind kind = Kind::Constant;
  double rate = 0.0;    ///< Rate after the warm-up.
  double minimum = 0.0; ///< Rate at the last step (cosine, linear, decay).
  uint64_t warmup = 0;  ///< Number of steps of linear rise: step i has (i + 1)
                        ///< / warmup.
  uint64_t steps = 0;   ///< Number of steps of the entire run.
  uint64_t decay = 0;   ///< Steps of the decay; 0: a tenth of `steps`.
  /// Ascending; linear between two, constant before the first and after the
  /// last.
  std::vector<Point> points{};

  /// The learning rate of step `step`, counted from 0.
  double at(uint64_t step) const;
  /// True if the rate of a step depends on the length of the run.
  static bool dependsOnSteps(Kind kind) {
    return kind == Kind::Cosine || kind == Kind::Linear ||
           kind == Kind::WarmupStableDecay;
  }
};

/// Reads the points of a text file: on each line a step, from 1, and a factor,
/// apart by spaces or a comma; '#' begins a comment. Fails, with the line, for
/// anything else, for steps that do not ascend, and for negative factors.
session::Expected<std::vector<Schedule::Point>>
readSchedule(const std::string &path);

} // namespace tert::training

#endif // TERT_TRAINING_SCHEDULE_H
