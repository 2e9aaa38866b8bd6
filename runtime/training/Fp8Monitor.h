// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the FP8 states of a running program say about its tensors.

#ifndef TERT_TRAINING_FP8MONITOR_H
#define TERT_TRAINING_FP8MONITOR_H

#include "session/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tert::training {

/// Reads the states of kind `fp8_amax_history`, `fp8_scale` and
/// `fp8_nonfinite` (docs/artifact.md); a program without them has no slots
/// here.
class Fp8Monitor {
public:
  explicit Fp8Monitor(const session::Session &session);

  /// The newest amax of every slot; 0 where there was none yet. Row
  /// length - 1 of the history holds it; a history of length 1 holds none, and
  /// amax = fp8_max * 2^-margin / scale then, apart from rounding. Nothing for
  /// a recipe that carries no scales.
  session::Expected<std::vector<float>> amaxes() const;
  /// The scale of every slot, for the next step; nothing for a recipe that
  /// carries none.
  session::Expected<std::vector<float>> scales() const;
  /// Slots whose count of non-finite amaxes rose since the last call (or since
  /// construction).
  session::Expected<std::vector<std::string>> newlyNonfinite();

  /// Whether the program counts non-finite amaxes at all.
  bool hasCounts() const { return nonfinite >= 0; }

private:
  /// A state of a kind with one column per slot; -1 if there is none.
  int find(const char *kind, tert_dtype dtype, size_t rank) const;
  session::Expected<std::vector<int64_t>> counts() const;
  const session::Session &session;
  size_t slots;
  int history, scale, nonfinite;
  std::vector<int64_t> known;
};

} // namespace tert::training

#endif // TERT_TRAINING_FP8MONITOR_H
