// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters that te-shard-states shards, with their optimizer's states.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDPLAN_H

#include "Distribution/FlatShards.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace mlir::te {

/// An elementwise update of a parameter in an entry.
struct ShardedUpdate {
  Operation *op = nullptr;
  /// Operand numbers.
  unsigned param = 0, gradient = 0;
  SmallVector<unsigned> states;
  /// Of scales of FP8 states.
  SmallVector<unsigned> scales;
  /// Result numbers of the new values, the parameter first.
  SmallVector<unsigned> results;
};

struct ShardedParameter {
  FlatShards parts;
  /// The state that is its rowwise FP8 copy, if ranks hold shards of that.
  StringAttr copy;
};

/// The parameters and states that are sharded, by name.
struct ShardPlan {
  llvm::MapVector<StringAttr, ShardedParameter> parameters;
  /// States that are sharded like a parameter, and its name.
  llvm::DenseMap<StringAttr, StringAttr> states;
  /// Scales of such states, with shards of their own.
  std::map<StringRef, FlatShards> scales;
  /// States that are transposes of a rowwise copy that is not kept, and the
  /// name of the parameter.
  llvm::DenseMap<StringAttr, StringAttr> transposed;

  /// The shards of the parameter or state that is an argument; null if it is
  /// replicated.
  const FlatShards *find(func::FuncOp function, unsigned argument) const;
};

/// The gradient's sum over the ranks along `axis`, and perhaps others, looking
/// through reshapes and additions of values that all ranks have; null if it is
/// anything else.
shard::AllReduceOp findSum(Value gradient, const ShardAxis &axis);

/// Gradients of lookups that all ranks add to a sum over the ranks.
struct SharedLookups {
  AddOp addition;
  EmbeddingGradOp lookups;
  Value sum;
};
std::optional<SharedLookups> findSharedLookups(Value gradient,
                                               const ShardAxis &axis);

/// The update of parameter `name` in an entry; nullopt, with the reason, if
/// ranks cannot do it shard by shard.
std::optional<ShardedUpdate> findUpdate(func::FuncOp entry, StringAttr name,
                                        const ShardAxis &axis,
                                        std::string &reason);

/// The addition of a microbatch's gradient to the accumulated sum, the state
/// `name`, if it is the sum's only reader; null otherwise.
AddOp findAddition(func::FuncOp entry, StringAttr name);

/// Plans all large enough parameters that entries update, with their optimizer
/// states; from level 2 on with accumulated gradients, at level 3 with FP8
/// copies.
ShardPlan makeShardPlan(ModuleOp module, const ShardAxis &axis, unsigned zero);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDPLAN_H
