// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training loop: reads data, runs steps, writes checkpoints, metrics and a
// plot. It prints nothing and handles no signal; an Observer receives all
// events.
//
//   MyObserver observer;
//   auto training = Training::create(*session, options, observer);
//   if (training)
//     Outcome outcome = (*training)->run();
//
// Messages name settings by the flags of te-run train, which has one for each.

#ifndef TERT_TRAINING_TRAINING_H
#define TERT_TRAINING_TRAINING_H

#include "training/Observer.h"
#include "training/Outcome.h"
#include "training/Peers.h"
#include "training/TrainingOptions.h"

#include <memory>

namespace tert::training {

class Training {
public:
  virtual ~Training() = default;

  /// Prepares a run of the entry `train`: sets its scalars, initializes the
  /// states or loads the newest checkpoint, opens the data and the output
  /// files. Detects all errors that can be found before the first step.
  /// Session, observer and peers must outlive the result. With peers, only the
  /// first rank writes files, except for sharded checkpoints, and only its
  /// observer's messages are for the user.
  static session::Expected<std::unique_ptr<Training>>
  create(session::Session &session, const TrainingOptions &options,
         Observer &observer, Peers *peers = nullptr);

  /// Runs the remaining steps. Call it once.
  virtual Outcome run() = 0;
};

} // namespace tert::training

#endif // TERT_TRAINING_TRAINING_H
