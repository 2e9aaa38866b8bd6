// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects whether a run still learns: skipped steps, an exploding loss.

#ifndef TERT_TRAINING_HEALTH_H
#define TERT_TRAINING_HEALTH_H

#include "session/Session.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

/// Detects steps without an update: a step with non-finite values does not
/// advance the program's step counters. For a program without such a state, the
/// norm of the gradients decides, or else the loss.
class SkippedSteps {
public:
  /// Call between two steps.
  static session::Expected<SkippedSteps>
  create(const session::Session &session,
         const session::EntryDescription &entry);

  /// Call after a step; returns whether it was skipped. `gradNorm` is NaN if
  /// the program computes none and `hasNorm` is false.
  session::Expected<bool> update(double loss, double gradNorm, bool hasNorm);
  /// Number of consecutive skipped steps, up to the last step.
  uint64_t inARow() const { return newest; }

private:
  explicit SkippedSteps(const session::Session &session) : session(&session) {}
  session::Expected<std::vector<int64_t>> counters() const;
  const session::Session *session;
  std::vector<size_t> states; ///< Indices of the counters.
  std::vector<int64_t> known;
  uint64_t newest = 0;
};

/// "a, b, c, d, e and 7 more": the first `most`.
std::string listOf(const std::vector<std::string> &names, size_t most = 5);

/// A line about a step whose loss, or the amaxes of `slots`, are not finite;
/// `counted`: non-finite amaxes are counted.
std::string describeNonfinite(uint64_t step, double loss, bool counted,
                              const std::vector<std::string> &slots,
                              bool skipped);

/// Detects an exploding loss: one that is finite, but far above its best. That
/// is the case if the median of the last `window` losses exceeds the lowest
/// such median by more than that one's magnitude, and by more than a tenth of
/// the improvement since the first step. A median, because one bad batch is no
/// explosion; a tenth, because a loss near zero easily doubles.
class Divergence {
public:
  static constexpr size_t window = 10;

  /// Reference for later losses.
  struct Baseline {
    double first = 0;  ///< The first loss.
    double lowest = 0; ///< The lowest median.
  };

  /// Adds the loss of the next step; ignores non-finite ones.
  void add(double loss);
  /// Number of losses added.
  uint64_t count() const { return number; }
  /// Nothing before the first loss.
  std::optional<Baseline> baseline() const;
  /// Sets the baseline of the run that this one continues; call before the
  /// first loss.
  void setBaseline(const Baseline &known);
  /// True if the latest losses are far above the best.
  bool isFar() const { return far; }
  double median() const { return newest; }
  double best() const { return lowest; }

private:
  std::deque<double> losses;
  uint64_t number = 0;
  double first = 0, lowest = 0, newest = 0;
  bool any = false, far = false;
};

} // namespace tert::training

#endif // TERT_TRAINING_HEALTH_H
