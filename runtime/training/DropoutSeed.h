// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the random numbers of dropout come from: a program that drops elements
// has the scalar "dropout_seed", of which all masks of a call are made.

#ifndef TERT_TRAINING_DROPOUTSEED_H
#define TERT_TRAINING_DROPOUTSEED_H

#include "session/Session.h"

#include <cstdint>

namespace tert::training {

inline constexpr const char *dropoutSeedName = "dropout_seed";

/// One call among all that a run makes.
struct CallPosition {
  uint64_t step = 0; ///< from 0
  /// Among the batches of the step, whichever rank and microbatch it is. Ranks
  /// that compute parts of one batch (along tp, cp) have the same seed: where
  /// their tensors are whole, they drop the same; where a tensor is cut, its
  /// masks have to count elements as the whole tensor does.
  uint64_t batch = 0;
};

/// A seed for the call, a function of its position and of the run's seed alone:
/// a run that is continued drops what it would have dropped.
int64_t dropoutSeed(uint64_t seed, const CallPosition &position);

/// Sets it where the entry has one.
session::Error setDropoutSeed(session::EntryCall &call, uint64_t seed,
                              const CallPosition &position);

} // namespace tert::training

#endif // TERT_TRAINING_DROPOUTSEED_H
