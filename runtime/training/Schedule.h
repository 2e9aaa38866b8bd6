// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The learning rate over a run.

#ifndef TERT_TRAINING_SCHEDULE_H
#define TERT_TRAINING_SCHEDULE_H

#include <cstdint>

namespace tert::training {

struct Schedule {
  enum class Kind { Constant, Cosine, Linear };
  Kind kind = Kind::Constant;
  double rate = 0.0;    ///< Rate after the warm-up.
  double minimum = 0.0; ///< Rate at the last step (cosine, linear).
  uint64_t warmup = 0;  ///< Number of steps of linear rise: step i has (i + 1)
                        ///< / warmup.
  uint64_t steps = 0;   ///< Number of steps of the entire run.

  /// The learning rate of step `step`, counted from 0.
  double at(uint64_t step) const;
};

} // namespace tert::training

#endif // TERT_TRAINING_SCHEDULE_H
