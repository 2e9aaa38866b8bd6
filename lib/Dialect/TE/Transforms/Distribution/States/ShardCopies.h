// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FP8 copies of sharded matrices: each rank quantizes its shard, and bytes are
// gathered.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_SHARDCOPIES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_SHARDCOPIES_H

#include "Distribution/States/FlatShards.h"

namespace mlir::te {

/// The type of the rowwise copy of a rank's shard. `whole` is the type of a
/// copy of the full matrix, of either orientation, whose dimensions may be
/// rounded up.
RankedTensorType getShardCopyType(const FlatShards &parts,
                                  RankedTensorType whole, bool columnwise);

/// Gathers the rowwise copies `part` of all ranks' shards into the copy of type
/// `whole`.
Value gatherCopy(OpBuilder &builder, Location loc, const FlatShards &parts,
                 Value part, RankedTensorType whole);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_SHARDCOPIES_H
