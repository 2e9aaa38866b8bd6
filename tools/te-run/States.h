// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the states of a call come from: their first values, or a checkpoint.

#ifndef TE_RUN_STATES_H
#define TE_RUN_STATES_H

#include "Setup.h"

#include <string>

namespace tert::run {

/// The checkpoint itself, or the newest one of a run's folder.
session::Expected<std::string> findCheckpoint(const std::string &checkpoint);

/// Gives every state its value: from `checkpoint`, a file or the folder of a
/// run (its newest one), of which the program takes what it has; or, if that is
/// empty, its first value.
session::Error loadStates(const Setup &setup, session::Session &session,
                          const std::string &checkpoint);

/// Fails if the program's states are in parts on many ranks, of which this
/// process is none.
session::Error checkRunsAlone(const session::Session &session);

/// Prints a warning if the entry quantizes with scales that nothing has ever
/// updated, and what to do.
session::Error warnOfFreshScales(const session::Session &session,
                                 const session::EntryDescription &entry);

} // namespace tert::run

#endif // TE_RUN_STATES_H
