// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sharding rules (ShardRules.h) for the parameters of one function.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_REQUESTEDSHARDS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_REQUESTEDSHARDS_H

#include "te/Dialect/TE/Transforms/Distribution/ShardRules.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::te {

/// The user's sharding rules for the parameters of one function.
class RequestedShards {
public:
  /// Fails with an error if two rules contradict each other or a rule names a
  /// dimension that a parameter does not have. Marks the rules that it used.
  static FailureOr<RequestedShards> find(func::FuncOp function,
                                         MutableArrayRef<ShardRule> rules);

  /// The rule for a parameter; null if there is none.
  const ShardRule *lookup(Value parameter) const {
    return rules.lookup(parameter);
  }
  const llvm::MapVector<Value, const ShardRule *> &get() const { return rules; }
  /// Why the operands of `op` must not be split as `sharding` does, as a phrase
  /// that completes "because "; nullopt if they may.
  std::optional<std::string> findConflict(Operation *op,
                                          const OpSharding &sharding) const;

private:
  llvm::MapVector<Value, const ShardRule *> rules;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_REQUESTEDSHARDS_H
