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
  /// Names of the states that are cut as the parameter is.
  SmallVector<StringAttr> states;
};

/// What ranks hold parts of, by name.
struct ShardPlan {
  llvm::MapVector<StringAttr, ShardedParameter> parameters;
  /// The parameter whose state it is, by the state's name.
  llvm::DenseMap<StringAttr, StringAttr> states;

  /// The parts of the parameter or state that is an argument; null where ranks
  /// have all of it.
  const FlatParts *find(func::FuncOp function, unsigned argument) const;
};

/// The gradient's sum over the ranks along `axis`, and perhaps others, seen
/// through reshapes; null where it is anything else.
shard::AllReduceOp findSum(Value gradient, const PartAxis &axis);

/// The update of parameter `name` in an entry; nothing, with the reason, where
/// it is not one that ranks can do for their parts.
std::optional<ShardedUpdate> findUpdate(func::FuncOp entry, StringAttr name,
                                        const PartAxis &axis,
                                        std::string &reason);

/// Every parameter that entries update and that is large enough.
ShardPlan makeShardPlan(ModuleOp module, const PartAxis &axis);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDPLAN_H
