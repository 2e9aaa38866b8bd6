// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states of a call: their initial values, or a checkpoint.

#ifndef TE_RUN_STATES_H
#define TE_RUN_STATES_H

#include "Setup.h"
#include "checkpoint/Checkpoint.h"
#include "training/Peers.h"

#include <string>

namespace tert::run {

/// The checkpoint itself, or the newest one of a run's folder.
session::Expected<std::string> findCheckpoint(const std::string &checkpoint);

/// Loads every state from `checkpoint`, a file or the folder of a run (its
/// newest one, as found by the first rank), of which the program uses what it
/// requires; or, if that is empty, initializes it. All ranks call it, and get
/// the checkpoint's info, which is empty without one.
session::Expected<session::CheckpointInfo>
loadStates(const Setup &setup, session::Session &session,
           const std::string &checkpoint, training::Ranks &ranks);

/// Prints a warning, on one rank, with advice, if the entry quantizes with
/// scales that have never been updated.
session::Error warnOfFreshScales(const session::Session &session,
                                 const session::EntryDescription &entry,
                                 const training::Ranks &ranks);

} // namespace tert::run

#endif // TE_RUN_STATES_H
