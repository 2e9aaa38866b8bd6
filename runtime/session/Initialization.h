// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First values of the states.

#ifndef TERT_SESSION_INITIALIZATION_H
#define TERT_SESSION_INITIALIZATION_H

#include "session/Session.h"

namespace tert::session {

struct InitializationOptions {
  /// A safetensors file with every parameter by name; empty: the file beside
  /// the artifact gives those whose init is `data`, the rest are made.
  std::string weights;
  /// Of the random states; each has its own stream, by its name.
  uint64_t seed = 0;
};

/// Gives every state its first value, then runs the `init` entry if a state is
/// `derived`. `warning`, if not null, receives what a person should know though
/// it is not a failure (tensors that no parameter took), or stays empty.
Error initializeStates(Session &session, const InitializationOptions &options,
                       std::string *warning = nullptr);

/// The same for the states of FP8 alone; the others have their values.
Error initializeFp8(Session &session);

} // namespace tert::session

#endif // TERT_SESSION_INITIALIZATION_H
