// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagation of shardings from value to value: what ranks along any axis share
// because they share one value.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_PROPAGATION_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_PROPAGATION_H

#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::te {

/// The sharded values and ops of a straight-line function, along one axis.
class Shardings {
public:
  const OpSharding *lookup(Operation *op) const {
    auto it = ops.find(op);
    return it == ops.end() ? nullptr : &it->second;
  }
  std::optional<DimSplit> lookup(Value value) const {
    auto it = cuts.find(value);
    return it == cuts.end() ? std::nullopt
                            : std::optional<DimSplit>(it->second);
  }
  /// True if the value is only made in shards.
  bool isMadeInShards(Value value) const {
    auto result = dyn_cast<OpResult>(value);
    const OpSharding *made = result ? lookup(result.getOwner()) : nullptr;
    return made && made->results[result.getResultNumber()];
  }
  /// Adds those of `other` that are not in this one.
  void add(const Shardings &other) {
    for (const auto &of : other.ops)
      ops.insert(of);
    for (const auto &of : other.cuts)
      cuts.insert(of);
  }

  llvm::MapVector<Operation *, OpSharding> ops;
  llvm::MapVector<Value, DimSplit> cuts;
};

/// Follows split dimensions to the ops that make and read values, as
/// ShardableOpInterface says. What happens where that is impossible is up to
/// derived classes. A value whose producer cannot be sharded is replicated, and
/// each rank takes its shard.
class Propagation {
public:
  virtual ~Propagation() = default;

  const Shardings &getShardings() const { return found; }

protected:
  /// Each block of a dimension is split into `pieces` of one size.
  explicit Propagation(int64_t pieces) : pieces(pieces) {}

  /// Visits producers and readers of all values that have been split and not
  /// been visited since.
  LogicalResult propagate();
  /// Shards an op one value of which is split by `cut`: the result of that
  /// number if `ofResult`, else the operand.
  LogicalResult visit(Operation *op, bool ofResult, unsigned number,
                      const DimSplit &cut);
  /// Splits `value` as `op` needs it.
  LogicalResult setCut(Operation *op, Value value, const DimSplit &cut);
  /// Shards `op` and its values.
  LogicalResult take(Operation *op, const OpSharding &sharding);

  /// Decides about an op that is visited, without asking it.
  virtual std::optional<LogicalResult> decide(Operation *op, bool ofResult,
                                              unsigned number,
                                              const DimSplit &cut) = 0;
  /// Why `op` must not be sharded like that; nullopt if it may.
  virtual std::optional<std::string>
  findConflict(Operation *op, const OpSharding &sharding) = 0;
  /// `op`, which is sharded already, would be sharded differently because of
  /// another value.
  virtual LogicalResult change(Operation *op, bool ofResult) = 0;
  /// `op` reads a value that is split, and cannot be sharded.
  virtual LogicalResult leaveOut(Operation *op, std::string reason) = 0;
  /// The pieces have different sizes in a split that `op` needs.
  virtual LogicalResult refuseSize(Operation *op, const Cut &cut) = 0;
  /// `op` needs another split of a value than `own`.
  virtual LogicalResult reconcile(Operation *op, Value value, DimSplit &own,
                                  const DimSplit &cut) = 0;
  /// True if only readers of values that are made in shards are visited: those
  /// of replicated values read all of them.
  virtual bool visitsOnlyShards() const { return false; }

  int64_t pieces;
  Shardings found;
  llvm::SetVector<Value> worklist;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_PROPAGATION_H
