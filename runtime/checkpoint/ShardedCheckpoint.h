// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharded checkpoints, which ranks write together; each writes the shards that
// no earlier rank holds. A folder of safetensors files, and an index, which is
// written last (docs/checkpoint.md).

#ifndef TERT_CHECKPOINT_SHARDEDCHECKPOINT_H
#define TERT_CHECKPOINT_SHARDEDCHECKPOINT_H

#include "checkpoint/StateCheck.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tert::session {

/// Gathers a value from each rank, indexed by rank; all of them make the same
/// calls.
using Gather = std::function<Expected<std::vector<std::string>>(
    const std::string &what, const std::string &own)>;

/// All ranks call it. A failure on any of them fails on all and leaves the
/// previous checkpoint in `folder`, as does a kill at any time. `metadata` is
/// that of a checkpoint in one file.
Error saveShardedCheckpoint(const ProgramStates &program,
                            const std::string &folder,
                            const std::map<std::string, std::string> &metadata,
                            StateCheck check, const Gather &gather);

enum class RemoveShards {
  All,
  Leftovers ///< Files that the index does not name.
};
/// Removes a sharded checkpoint, the index first, and its folder unless it
/// contains other files.
Error removeShardedCheckpoint(const std::string &folder, RemoveShards what);

} // namespace tert::session

#endif // TERT_CHECKPOINT_SHARDEDCHECKPOINT_H
