// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry whose ranks hold parts of its parameters.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDENTRY_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDENTRY_H

#include "Distribution/ShardPlan.h"

namespace mlir::te {

/// Gives the arguments that the plan has parts of these types, and rewrites the
/// body: updates work on parts, and what reads more is given a gathered copy,
/// which lives from its first read to the last where `keepsCopies`.
void shardEntry(func::FuncOp entry, const ShardPlan &plan, const PartAxis &axis,
                bool keepsCopies);

/// Norms of gradients are made of the ranks' parts of them. `parts` says of
/// which sums over ranks there is a part.
void shareNorms(func::FuncOp entry, const PartAxis &axis,
                const llvm::DenseMap<Operation *, Value> &parts);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDENTRY_H
