// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks which states may be saved in a checkpoint.

#ifndef TERT_CHECKPOINT_STATECHECK_H
#define TERT_CHECKPOINT_STATECHECK_H

#include "checkpoint/ProgramStates.h"

#include <functional>
#include <string>

namespace tert::session {

enum class StateCheck {
  None,
  Finite ///< Refuses NaN and infinity.
};

/// Session::visitState() of a state that is written to `path`; fails with the
/// first bytes that do not pass the check.
Error visitChecked(const ProgramStates &program, size_t index, StateCheck check,
                   const std::string &path,
                   const std::function<Error(const char *, size_t)> &visit);

} // namespace tert::session

#endif // TERT_CHECKPOINT_STATECHECK_H
