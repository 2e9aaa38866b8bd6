// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs for runs whose results are not used.

#ifndef TERT_TRAINING_RANDOMINPUTS_H
#define TERT_TRAINING_RANDOMINPUTS_H

#include "session/Session.h"

#include <cstdint>

namespace tert::training {

/// Plausible inputs: floats from a normal distribution, integers uniform in the
/// declared range, or a byte's; labels of annotated data 0 and 1. Sets the
/// dropout seed, if there is one.
session::Error setRandomInputs(session::EntryCall &call, uint64_t seed);

} // namespace tert::training

#endif // TERT_TRAINING_RANDOMINPUTS_H
