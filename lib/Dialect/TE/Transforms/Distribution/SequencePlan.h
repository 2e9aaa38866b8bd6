// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of a straight-line function that have the tokens of sharded
// sequences, and their token dimension.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCEPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCEPLAN_H

#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::te {

/// What a value is computed from: the cotangents of parameters are terms of
/// sums that are all-reduced later; those of inputs every rank needs in full.
struct Sources {
  bool parameters = false;
  /// Float inputs, which may have a gradient.
  bool floatInputs = false;
  bool inputs = false;

  Sources operator|(Sources other) const {
    return {parameters || other.parameters, floatInputs || other.floatInputs,
            inputs || other.inputs};
  }
};

/// Starts from the queries of all attention ops and follows the token dimension
/// to producers and readers, as ShardableOpInterface says.
class SequencePlan {
public:
  /// For ranks that share sequences.
  SequencePlan(func::FuncOp function, int64_t ranks)
      : SequencePlan(function, ranks, /*isTokenwise=*/false) {}
  /// For a function that computes sequences of `tokens` one token at a time: as
  /// for as many ranks, each with one token.
  static SequencePlan forTokens(func::FuncOp function, int64_t tokens) {
    return SequencePlan(function, tokens, /*isTokenwise=*/true);
  }

  /// Fails, with an error, if an op other than attention mixes tokens.
  LogicalResult build();

  /// True if ranks have two pieces of each sequence: with causal attention one
  /// piece would give the later ranks more work.
  bool isBalanced() const { return balanced; }
  int64_t getNumPieces() const { return balanced ? 2 * ranks : ranks; }
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
  bool isSharded(Value value) const {
    auto result = dyn_cast<OpResult>(value);
    const OpSharding *made = result ? lookup(result.getOwner()) : nullptr;
    return made && made->results[result.getResultNumber()];
  }
  Sources getSources(Value value) const { return sources.lookup(value); }

private:
  SequencePlan(func::FuncOp function, int64_t ranks, bool isTokenwise)
      : function(function), ranks(ranks), isTokenwise(isTokenwise) {}
  void findSources();
  /// An error that says what cannot be computed: by ranks, or token by token.
  LogicalResult fail(Operation *op, const Twine &byRanks,
                     const Twine &byTokens);
  LogicalResult setCut(Operation *op, Value value, const DimSplit &cut);
  LogicalResult share(AttentionOp op);
  LogicalResult visitProducer(OpResult value, const DimSplit &cut);
  LogicalResult visitReader(OpOperand &use, const DimSplit &cut);
  LogicalResult take(Operation *op, const OpSharding &sharding);

  func::FuncOp function;
  int64_t ranks;
  bool isTokenwise;
  bool balanced = false;
  llvm::MapVector<Value, DimSplit> cuts;
  llvm::MapVector<Operation *, OpSharding> ops;
  llvm::DenseMap<Value, Sources> sources;
  llvm::SetVector<Value> worklist;
};

/// The token dimension of the operands of attention.
unsigned getSequenceDim(AttentionLayout layout);

/// True if the result depends on the positions of the queries.
bool dependsOnPositions(AttentionOp op);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCEPLAN_H
