// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar inputs of a step.

#ifndef TERT_TRAINING_SCALARS_H
#define TERT_TRAINING_SCALARS_H

#include "session/Session.h"

#include <string>

namespace tert::training {

struct TrainingOptions;

/// Sets the scalars in `options`; the learning rate is the one after the
/// warm-up. Fails for a scalar that the entry of `artifact` does not have, and
/// for one without a value.
session::Expected<double> setScalars(session::EntryCall &call,
                                     const TrainingOptions &options,
                                     const std::string &artifact);

} // namespace tert::training

#endif // TERT_TRAINING_SCALARS_H
