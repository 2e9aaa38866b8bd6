// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialization of the states.

#ifndef TERT_SESSION_INITIALIZATION_H
#define TERT_SESSION_INITIALIZATION_H

#include "session/Session.h"

namespace tert::session {

struct InitializationOptions {
  /// A safetensors file with every parameter by name; empty: the artifact's
  /// weights file gives those whose init is `data`, the others are generated.
  std::string weights;
  /// Seed of the random states; each has its own stream, by its name.
  uint64_t seed = 0;
};

/// Initializes every state, then runs the `init` entry if a state is `derived`.
/// `warning`, if not null, receives a message that is not a failure (tensors
/// that no parameter took), or stays empty.
Error initializeStates(Session &session, const InitializationOptions &options,
                       std::string *warning = nullptr);

/// Computes the derived states, such as the FP8 copies of weights, from the
/// parameters as they are now; nothing if the program has none.
Error deriveStates(Session &session);

/// Initializes only the FP8 states; the others must have values.
Error initializeFp8(Session &session);

} // namespace tert::session

#endif // TERT_SESSION_INITIALIZATION_H
