// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of a straight-line function that are sharded along one axis, and
// their sharding.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_SHARDINGPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_SHARDINGPLAN_H

#include "Distribution/Propagation/Propagation.h"
#include "Distribution/Propagation/RequestedShards.h"
#include "te/Dialect/TE/IR/TE.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::te {

/// True if an op is a linear layer of which every rank computes a term.
bool isRowParallel(Operation *op, const OpSharding &sharding);

/// Values that are sharded because one of them is, and the ops that are sharded
/// with them.
class SharedValues : public Propagation {
public:
  /// Why an op cannot be sharded, as a phrase that completes "because ".
  struct Obstacle {
    Operation *op = nullptr;
    std::string reason;
  };

  /// What happens if a reader of a value cannot be sharded: the value is
  /// gathered for it, or not sharded at all.
  enum class Readers { MayGather, MustShare };

  /// Parameters are sharded as `requested` says.
  SharedValues(int64_t ranks, Readers readers, const RequestedShards &requested,
               llvm::function_ref<bool(Operation *)> isTaken)
      : Propagation(ranks), readers(readers), requested(requested),
        isTaken(isTaken) {}

  /// Shards `value` and all that goes with it. On failure `obstacle` says why.
  LogicalResult share(Value value, const DimSplit &cut);
  /// Shards one reader of a value that is split by `cut`, and not what goes
  /// with it.
  LogicalResult shareReader(OpOperand &use, const DimSplit &cut);

  /// True if one of the ops is a row-parallel layer.
  bool hasRowParallel() const;
  const Obstacle &getObstacle() const { return obstacle; }
  /// Readers for which a value is gathered, and why.
  ArrayRef<Obstacle> getGathering() const { return gathering; }

private:
  std::optional<LogicalResult> decide(Operation *op, bool ofResult,
                                      unsigned number,
                                      const DimSplit &cut) override;
  std::optional<std::string> findConflict(Operation *op,
                                          const OpSharding &sharding) override {
    return requested.findConflict(op, sharding);
  }
  LogicalResult change(Operation *, bool) override { return success(); }
  LogicalResult leaveOut(Operation *op, std::string reason) override;
  LogicalResult refuseSize(Operation *op, const Cut &cut) override;
  LogicalResult reconcile(Operation *op, Value value, DimSplit &own,
                          const DimSplit &cut) override;
  LogicalResult block(Operation *op, std::string reason);

  Readers readers;
  const RequestedShards &requested;
  llvm::function_ref<bool(Operation *)> isTaken;
  /// Ops found incompatible with the others.
  llvm::SmallDenseSet<Operation *> blocked;
  llvm::DenseMap<Value, unsigned> numReports;
  bool again = false;
  Obstacle obstacle;
  SmallVector<Obstacle> gathering;
};

/// The decisions for one block. The user's rules for parameters come first if
/// they reach another layer; the remaining ones come after features: a linear
/// layer is column-parallel and another row-parallel if the result of the first
/// reaches the inner dimension of the second through shardable ops; then rows,
/// for the ops between such pairs.
class ShardingPlan : public Shardings {
public:
  ShardingPlan(Block &block, int64_t ranks, const RequestedShards &requested)
      : block(block), ranks(ranks), requested(requested) {}

  /// Shards parameters as the user requests, with all that goes with them, if
  /// all of that can be sharded.
  void shareRequested();
  /// Shards the remaining ones only in the ops that read them. Fails with an
  /// error if one of those ops cannot be sharded so.
  LogicalResult shareRequestedAlone();
  /// Shards the columns of these matrices, the classes of a vocabulary.
  void shareClasses(ValueRange logits);
  /// Shards features. Fails with an error if the ranks do not divide the heads
  /// of layers that would be sharded.
  LogicalResult shareFeatures();
  /// Shards the rows of the sums that row-parallel layers make.
  void shareRows();

  /// Updates an op that has lost its last operands.
  void updateOperands(Operation *op) {
    if (auto it = ops.find(op); it != ops.end())
      it->second.operands.truncate(op->getNumOperands());
  }

  unsigned getNumPairs() const { return numPairs; }

private:
  /// Shards attention with replicated keys, if it is not sharded yet.
  void shareHeads(AttentionOp attention);
  LogicalResult shareAlone(Value parameter, const DimSplit &cut,
                           SharedValues::Obstacle &obstacle);

  Block &block;
  int64_t ranks;
  const RequestedShards &requested;
  unsigned numPairs = 0;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_SHARDINGPLAN_H
