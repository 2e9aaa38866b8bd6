// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a run still learns: steps that are skipped, a loss that explodes.

#ifndef TERT_TRAINING_HEALTH_H
#define TERT_TRAINING_HEALTH_H

#include "session/Session.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

/// Tells whether steps updated anything: a step with something that is not
/// finite does not move the program's counters of steps. For a program without
/// such a state the norm of the gradients decides, or else the loss.
class SkippedSteps {
public:
  /// Between two steps.
  static session::Expected<SkippedSteps>
  create(const session::Session &session,
         const session::EntryDescription &entry);

  /// After a step: whether it was skipped. `gradNorm` is NaN if the program
  /// gives none and `hasNorm` is false.
  session::Expected<bool> update(double loss, double gradNorm, bool hasNorm);
  /// How many in a row the newest ones are.
  uint64_t inARow() const { return newest; }

private:
  explicit SkippedSteps(const session::Session &session) : session(&session) {}
  session::Expected<std::vector<int64_t>> counters() const;
  const session::Session *session;
  std::vector<size_t> states; ///< Indices of the counters.
  std::vector<int64_t> known;
  uint64_t newest = 0;
};

/// "a, b, c, d, e and 7 more".
std::string listOf(const std::vector<std::string> &names);

/// One line about a step whose loss, or the amaxes of `slots`, are not finite;
/// `counted`: whether amaxes that are not would be known.
std::string describeNonfinite(uint64_t step, double loss, bool counted,
                              const std::vector<std::string> &slots,
                              bool skipped);

/// A loss that explodes: one that is finite, but far above its best. Far is the
/// median of the newest `window` losses above the lowest such median by more
/// than that one's magnitude, and by more than a tenth of what was gained since
/// the first step. A median, because one bad batch is no explosion; a tenth,
/// because near zero a loss doubles by nothing.
class Divergence {
public:
  static constexpr size_t window = 10;

  /// What a later loss is compared with.
  struct Baseline {
    double first = 0;  ///< The first loss.
    double lowest = 0; ///< The lowest median.
  };

  /// The loss of the next step; a non-finite one is passed over.
  void add(double loss);
  /// How many were added.
  uint64_t count() const { return number; }
  /// Nothing before the first loss.
  std::optional<Baseline> baseline() const;
  /// Of the run that this one continues; before the first loss.
  void setBaseline(const Baseline &known);
  /// Whether the newest losses are far above the best.
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
