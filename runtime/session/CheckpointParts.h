// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints that ranks write together, each what it holds and no rank before
// it does: a folder of safetensors files, and an index, which comes last
// (docs/checkpoint.md).

#ifndef TERT_SESSION_CHECKPOINTPARTS_H
#define TERT_SESSION_CHECKPOINTPARTS_H

#include "session/StateCheck.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tert::session {

/// What each rank brings, by rank: all of them make the same calls.
using Gather = std::function<Expected<std::vector<std::string>>(
    const std::string &what, const std::string &own)>;

/// All ranks call it. A failure, on any of them, is one of all, and leaves the
/// checkpoint that was in `folder` before, as a kill at any moment does.
/// `metadata` is that of a checkpoint in one file.
Error saveParts(const Session &session, const std::string &folder,
                const std::map<std::string, std::string> &metadata,
                StateCheck check, const Gather &gather);

enum class RemoveParts {
  All,
  Leftovers ///< What the index does not name.
};
/// Removes a checkpoint in parts, the index first, and its folder unless there
/// is something else in it.
Error removeParts(const std::string &folder, RemoveParts what);

} // namespace tert::session

#endif // TERT_SESSION_CHECKPOINTPARTS_H
