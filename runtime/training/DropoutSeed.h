// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeds of dropout: a program with dropout has the scalar "dropout_seed", from
// which all masks of a call are generated.

#ifndef TERT_TRAINING_DROPOUTSEED_H
#define TERT_TRAINING_DROPOUTSEED_H

#include "session/Session.h"

#include <cstdint>

namespace tert::training {

inline constexpr const char *dropoutSeedName = "dropout_seed";

/// Position of a call within a run.
struct CallPosition {
  uint64_t step = 0; ///< from 0
  /// Index among the batches of the step, over all ranks and microbatches.
  /// Ranks that compute parts of the same batch (along tp, cp) have the same
  /// seed: for replicated tensors they generate the same masks; for sharded
  /// ones, masks must use the element indices of the full tensor.
  uint64_t batch = 0;
};

/// The seed of a call, a function of its position and of the run's seed alone,
/// so that a resumed run has the same dropout.
int64_t dropoutSeed(uint64_t seed, const CallPosition &position);

/// Sets the seed if the entry has one.
session::Error setDropoutSeed(session::EntryCall &call, uint64_t seed,
                              const CallPosition &position);

} // namespace tert::training

#endif // TERT_TRAINING_DROPOUTSEED_H
