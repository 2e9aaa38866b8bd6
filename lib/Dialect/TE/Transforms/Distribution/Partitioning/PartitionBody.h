// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PARTITIONING_PARTITIONBODY_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PARTITIONING_PARTITIONBODY_H

#include "Distribution/Partitioning/Reshard.h"
#include "Distribution/Propagation/Propagation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

/// Rewrites the body of a function into that of each rank: ops that `shardings`
/// has compute shards, others compute everything on every rank. `values` has
/// the forms of the arguments, and is built with `builder`.
void partitionBody(func::FuncOp function, const Shardings &shardings,
                   const AxisRanks &mesh, OpBuilder &builder,
                   ShardedValues &values);

/// Makes a parameter the rank's shard, as `cut` says, of a tensor of `shape`.
void shardArgument(BlockArgument argument, const DimSplit &cut,
                   ArrayRef<int64_t> shape, const AxisRanks &mesh,
                   ShardedValues &values);

/// Fails, with an error, unless all entries shard parameters alike.
LogicalResult checkShardAgreement(ModuleOp module);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PARTITIONING_PARTITIONBODY_H
