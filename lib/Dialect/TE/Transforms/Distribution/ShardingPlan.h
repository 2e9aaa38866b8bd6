// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a straight-line function ranks along one axis share, and how.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDINGPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDINGPLAN_H

#include "Distribution/RequestedCuts.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::te {

/// Values that are cut because one of them is, and the ops that ranks share for
/// it: dimensions that run along with each other, from producers to readers and
/// back.
class SharedValues {
public:
  /// Why an op cannot be shared, in words that complete "because ".
  struct Obstacle {
    Operation *op = nullptr;
    std::string reason;
  };

  /// What is known about the readers of a value that cannot share it: the whole
  /// is gathered for them, or the value is not shared at all.
  enum class Readers { MayGather, MustShare };

  /// Parameters are shared as `requested` says.
  SharedValues(int64_t ranks, Readers readers, const RequestedCuts &requested,
               llvm::function_ref<bool(Operation *)> isTaken)
      : ranks(ranks), readers(readers), requested(requested), isTaken(isTaken) {
  }

  /// Shares `value` and what goes with it. On failure `obstacle` says why not.
  LogicalResult share(Value value, const DimCut &cut);

  const llvm::MapVector<Value, DimCut> &getCuts() const { return cuts; }
  const llvm::MapVector<Operation *, OpSharding> &getOps() const { return ops; }
  const Obstacle &getObstacle() const { return obstacle; }
  /// Readers for which a whole value is gathered, and why.
  ArrayRef<Obstacle> getGathering() const { return gathering; }

private:
  LogicalResult spread(Value value, const DimCut &cut);
  LogicalResult visit(Operation *op, bool ofResult, unsigned number,
                      const DimCut &cut);
  LogicalResult setCut(Operation *op, Value value, const DimCut &cut);
  LogicalResult block(Operation *op, std::string reason);
  std::string describeRest(const Cut &cut) const;

  int64_t ranks;
  Readers readers;
  const RequestedCuts &requested;
  llvm::function_ref<bool(Operation *)> isTaken;
  llvm::MapVector<Value, DimCut> cuts;
  llvm::MapVector<Operation *, OpSharding> ops;
  /// Ops that turned out not to fit with the others.
  llvm::SmallDenseSet<Operation *> blocked;
  llvm::DenseMap<Value, unsigned> numTold;
  bool again = false;
  llvm::SetVector<Value> worklist;
  Obstacle obstacle;
  SmallVector<Obstacle> gathering;
};

/// The decisions for one block. What the user says about parameters comes
/// first, where it goes on to another layer, and what is left of it behind
/// features: a linear layer is column-parallel and another row-parallel where
/// what the first computes reaches the inner dimension of the second through
/// ops that ranks share; rows then, for what is between such pairs.
class ShardingPlan {
public:
  ShardingPlan(Block &block, int64_t ranks, const RequestedCuts &requested)
      : block(block), ranks(ranks), requested(requested) {}

  /// Shares parameters that the user wants shared, with all that goes with
  /// them, where all of that can be.
  void shareRequested();
  /// Shares the others of these in the ops that read them, alone. Fails with an
  /// error where one of those ops cannot be shared so.
  LogicalResult shareRequestedAlone();
  /// Shares the columns of these matrices, the classes of a vocabulary.
  void shareClasses(ValueRange logits);
  /// Shares features. Fails with an error where layers of heads would have to
  /// be shared by ranks that do not divide them.
  LogicalResult shareFeatures();
  /// Shares the rows of the sums that row-parallel layers make.
  void shareRows();

  /// Of an op that has lost its last operands.
  void updateOperands(Operation *op) {
    if (auto it = ops.find(op); it != ops.end())
      it->second.operands.truncate(op->getNumOperands());
  }

  const OpSharding *lookup(Operation *op) const {
    auto it = ops.find(op);
    return it == ops.end() ? nullptr : &it->second;
  }
  std::optional<DimCut> lookup(Value value) const {
    auto it = cuts.find(value);
    return it == cuts.end() ? std::nullopt : std::optional<DimCut>(it->second);
  }
  unsigned getNumPairs() const { return numPairs; }
  unsigned getNumShared() const { return ops.size(); }

private:
  /// Shares attention with keys that ranks do not share, if it is not yet.
  void shareHeads(AttentionOp attention);
  void take(const SharedValues &values);
  LogicalResult shareAlone(Value parameter, const DimCut &cut,
                           SharedValues::Obstacle &obstacle);

  Block &block;
  int64_t ranks;
  const RequestedCuts &requested;
  llvm::DenseMap<Operation *, OpSharding> ops;
  llvm::DenseMap<Value, DimCut> cuts;
  unsigned numPairs = 0;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDINGPLAN_H
