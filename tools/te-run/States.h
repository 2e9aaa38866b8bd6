// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the states of a call come from: their first values, or a checkpoint.

#ifndef TE_RUN_STATES_H
#define TE_RUN_STATES_H

#include "Setup.h"
#include "session/Checkpoint.h"
#include "training/Peers.h"

#include <string>

namespace tert::run {

/// The checkpoint itself, or the newest one of a run's folder.
session::Expected<std::string> findCheckpoint(const std::string &checkpoint);

/// Gives every state its value: from `checkpoint`, a file or the folder of a
/// run (the one that the first rank finds to be its newest), of which the
/// program takes what it has; or, if that is empty, its first value. All ranks
/// call it, and learn what the checkpoint says, nothing without one.
session::Expected<session::CheckpointInfo>
loadStates(const Setup &setup, session::Session &session,
           const std::string &checkpoint, training::Ranks &ranks);

/// Prints a warning, on one rank, if the entry quantizes with scales that
/// nothing has ever updated, and what to do.
session::Error warnOfFreshScales(const session::Session &session,
                                 const session::EntryDescription &entry,
                                 const training::Ranks &ranks);

} // namespace tert::run

#endif // TE_RUN_STATES_H
