// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an artifact's path to a session that is ready to run, in two steps: open
// the program, initialize its states.

#ifndef TERT_SESSION_PROGRAM_H
#define TERT_SESSION_PROGRAM_H

#include "session/Initialization.h"
#include "session/Session.h"

#include <memory>
#include <string>
#include <vector>

namespace tert::session {

/// Options: program, device, parameters and plans.
struct ProgramOptions {
  std::string artifact;
  SessionOptions device;
  InitializationOptions initialization;
  std::string tuning; ///< Empty: the artifact's default one, if it exists
  bool untuned = false;
};

/// Opens artifact and device, and reads the tuning database. `warnings`
/// receives messages that are not failures. The states are undefined until
/// initializeStates() or loadCheckpoint().
Expected<std::unique_ptr<Session>>
openProgram(const ProgramOptions &options, std::vector<std::string> &warnings);

/// Notices about the entries that have run: plans of the tuning database that
/// could not be used, ops without a fast implementation.
std::vector<std::string> noticesOf(const Session &session);

} // namespace tert::session

#endif // TERT_SESSION_PROGRAM_H
