// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters that te-shard-states shards, with their optimizer's states.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_SHARDPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_SHARDPLAN_H

#include "Distribution/States/GradientSum.h"

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
  /// What the gradient is; without a collective it is zeros.
  GradientSum sum;
};

struct ShardedParameter {
  FlatShards parts;
  /// By entry.
  llvm::MapVector<func::FuncOp, ShardedUpdate> updates;
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

/// The argument of `function` whose attribute `role` is `name`; null if there
/// is none.
BlockArgument findArgument(func::FuncOp function, StringRef role,
                           StringAttr name);
/// The number of such a result.
std::optional<unsigned> findResult(func::FuncOp function, StringRef role,
                                   StringAttr name);
/// The value that is returned as such a result; null if there is none.
Value findReturned(func::FuncOp function, StringRef role, StringAttr name);

/// Plans all large enough parameters that entries update, with their optimizer
/// states; from level 2 on with accumulated gradients, at level 3 with FP8
/// copies.
ShardPlan makeShardPlan(ModuleOp module, const ShardAxis &axis, unsigned zero);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_SHARDPLAN_H
