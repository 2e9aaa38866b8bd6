// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of tensors from the FP8 states of a running program.

#ifndef TERT_TRAINING_FP8MONITOR_H
#define TERT_TRAINING_FP8MONITOR_H

#include "session/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tert::training {

/// Reads the states of kind `fp8_amax_history`, `fp8_scale` and `fp8_nonfinite`
/// (docs/artifact.md). A program without them has no slots here.
class Fp8Monitor {
public:
  explicit Fp8Monitor(const session::Session &session);

  /// The latest amax of every slot; 0 if there has been none. It is in row
  /// length - 1 of the history; a history of length 1 has none, so that it is
  /// computed as amax = fp8_max * 2^-margin / scale, up to rounding. Nothing
  /// for a recipe without scale states.
  session::Expected<std::vector<float>> amaxes() const;
  /// The scale of every slot for the next step; nothing for a recipe without
  /// scale states.
  session::Expected<std::vector<float>> scales() const;
  /// Slots whose count of non-finite amaxes rose since the last call (or since
  /// construction).
  session::Expected<std::vector<std::string>> newlyNonfinite();

  /// True if the program counts non-finite amaxes.
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
