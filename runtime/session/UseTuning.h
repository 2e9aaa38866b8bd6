// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a tuning database to the device of a session.

#ifndef TERT_SESSION_USETUNING_H
#define TERT_SESSION_USETUNING_H

#include "session/Error.h"

#include <string>

namespace tert::session {

class Session;

/// Gives the session's device the plans that the database has for it. A
/// database that is damaged or has none for this device is not an error: the
/// device then chooses as it does without, and *warning says why.
Error useTuning(Session &session, const std::string &path,
                std::string *warning);

} // namespace tert::session

#endif // TERT_SESSION_USETUNING_H
