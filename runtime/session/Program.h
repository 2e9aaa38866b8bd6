// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an artifact's path to a session that is ready to run, in the two steps
// that every user of an artifact takes: open it, give its states values.

#ifndef TERT_SESSION_PROGRAM_H
#define TERT_SESSION_PROGRAM_H

#include "session/Initialization.h"
#include "session/Session.h"

#include <memory>
#include <string>
#include <vector>

namespace tert::session {

/// Which program, where, with which parameters and plans.
struct ProgramOptions {
  std::string artifact;
  SessionOptions device;
  InitializationOptions initialization;
  std::string tuning; ///< Empty: the one beside the artifact, if there is one
  bool untuned = false;
};

/// Opens artifact and device, and reads the tuning database. `warnings`
/// receives what a person should know though it is not a failure. The states
/// are undefined until initializeStates() or loadCheckpoint().
Expected<std::unique_ptr<Session>>
openProgram(const ProgramOptions &options, std::vector<std::string> &warnings);

/// What there is to say about the entries that have run: plans of the tuning
/// database that could not be used, ops without a fast implementation.
std::vector<std::string> noticesOf(const Session &session);

} // namespace tert::session

#endif // TERT_SESSION_PROGRAM_H
