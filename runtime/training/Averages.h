// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the averages of parameters.

#ifndef TERT_TRAINING_AVERAGES_H
#define TERT_TRAINING_AVERAGES_H

#include "session/StateSnapshot.h"

#include <functional>

namespace tert::training {

/// True if a program keeps averages of its parameters, the states `ema.NAME`.
bool hasAverages(const session::Description &description);

/// Calls `evaluate` while the parameters have the values of their averages, and
/// the states derived from them, such as FP8 copies, too; then restores all of
/// them, bit for bit. All ranks call it. Before the first step averages are 0.
session::Error withAverages(session::Session &session,
                            const std::function<session::Error()> &evaluate);

} // namespace tert::training

#endif // TERT_TRAINING_AVERAGES_H
