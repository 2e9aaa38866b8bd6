// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a tuning database into the device of a session.

#ifndef TERT_SESSION_USETUNING_H
#define TERT_SESSION_USETUNING_H

#include "support/Error.h"

#include <string>

namespace tert::session {

class Session;

/// Loads the database's plans for the session's device. A database that is
/// damaged or has none for this device is not an error: the device then uses
/// its defaults, and *warning is the reason.
Error useTuning(Session &session, const std::string &path,
                std::string *warning);

} // namespace tert::session

#endif // TERT_SESSION_USETUNING_H
