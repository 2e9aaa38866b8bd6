// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Schedule.h"

#include <algorithm>
#include <cmath>

using namespace tert::training;

double Schedule::at(uint64_t step) const {
  if (step < warmup)
    return rate * static_cast<double>(step + 1) / static_cast<double>(warmup);
  if (kind == Kind::Constant)
    return rate;
  // From `rate` at the first step after the warm-up to `minimum` at the last.
  double span =
      static_cast<double>(steps > warmup + 1 ? steps - warmup - 1 : 1);
  double progress = std::min(1.0, static_cast<double>(step - warmup) / span);
  constexpr double pi = 3.141592653589793;
  double share = kind == Kind::Cosine ? 0.5 * (1.0 + std::cos(pi * progress))
                                      : 1.0 - progress;
  return minimum + (rate - minimum) * share;
}
