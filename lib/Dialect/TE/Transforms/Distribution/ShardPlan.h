// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parameters te-shard-states shards, with their optimizer's states.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDPLAN_H

#include "Distribution/FlatParts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::te {

/// The update of a parameter in an entry, element by element.
struct ShardedUpdate {
  Operation *op = nullptr;
  /// Numbers of operands.
  unsigned param = 0, gradient = 0;
  SmallVector<unsigned> states;
  /// Numbers of the results that are their new values, the parameter first.
  SmallVector<unsigned> results;
};

struct ShardedParameter {
  FlatParts parts;
  /// The state that is a rowwise FP8 copy of it, if ranks have parts of that.
  StringAttr copy;
};

/// What ranks hold parts of, by name.
struct ShardPlan {
  llvm::MapVector<StringAttr, ShardedParameter> parameters;
  /// States that are cut as a parameter is, and which that is.
  llvm::DenseMap<StringAttr, StringAttr> states;
  /// States that are transposes of a rowwise copy, which nobody keeps, and of
  /// which parameter.
  llvm::DenseMap<StringAttr, StringAttr> transposed;

  /// The parts of the parameter or state that is an argument; null where ranks
  /// have all of it.
  const FlatParts *find(func::FuncOp function, unsigned argument) const;
};

/// The gradient's sum over the ranks along `axis`, and perhaps others, seen
/// through reshapes and what all ranks add to it; null where it is anything
/// else.
shard::AllReduceOp findSum(Value gradient, const PartAxis &axis);

/// Lookups' gradients that all ranks add to a sum over the ranks.
struct SharedLookups {
  AddOp addition;
  EmbeddingGradOp lookups;
  Value sum;
};
std::optional<SharedLookups> findSharedLookups(Value gradient,
                                               const PartAxis &axis);

/// The update of parameter `name` in an entry; nothing, with the reason, where
/// it is not one that ranks can do for their parts.
std::optional<ShardedUpdate> findUpdate(func::FuncOp entry, StringAttr name,
                                        const PartAxis &axis,
                                        std::string &reason);

/// The addition of a microbatch's gradient to the sum of those before it, which
/// is the state `name`, where nothing else reads that; null otherwise.
AddOp findAddition(func::FuncOp entry, StringAttr name);

/// Every parameter that entries update and that is large enough, with its
/// optimizer's states, from level 2 on with sums of its gradients, and of level
/// 3 with FP8 copies.
ShardPlan makeShardPlan(ModuleOp module, const PartAxis &axis, unsigned zero);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDPLAN_H
