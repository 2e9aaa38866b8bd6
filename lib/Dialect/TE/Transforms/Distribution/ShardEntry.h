// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shards the parameters of an entry.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDENTRY_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDENTRY_H

#include "Distribution/ShardPlan.h"

namespace mlir::te {

/// Gives the sharded arguments of the plan their shard types and rewrites the
/// body: updates work on shards, and other readers get a gathered copy, which
/// lives from its first read to the last if `keepsCopies`.
void shardEntry(func::FuncOp entry, const ShardPlan &plan,
                const ShardAxis &axis, bool keepsCopies);

/// Computes norms of gradients from the ranks' shards of them. `parts` maps
/// sums over ranks to their shards.
void shareNorms(func::FuncOp entry, const ShardAxis &axis,
                const llvm::DenseMap<Operation *, Value> &parts);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDENTRY_H
