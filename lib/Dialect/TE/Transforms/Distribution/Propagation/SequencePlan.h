// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shardings of sequences, along their tokens.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_SEQUENCEPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_SEQUENCEPLAN_H

#include "Distribution/Propagation/Propagation.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// What a value is computed from: the cotangents of parameters are terms of
/// sums that are all-reduced later; those of inputs, and of sums over ranks,
/// every rank needs in full.
struct Sources {
  bool parameters = false;
  bool inputs = false;
  /// Float inputs, which may have a gradient, and sums over ranks.
  bool wholes = false;
  bool sums = false;

  Sources operator|(Sources other) const {
    return {parameters || other.parameters, inputs || other.inputs,
            wholes || other.wholes, sums || other.sums};
  }
};

/// What ranks share of sequences: starts from the queries of all attention ops,
/// each rank of which has its own, and all keys.
class SequencePlan : public Propagation {
public:
  /// For ranks that share sequences.
  SequencePlan(func::FuncOp function, int64_t ranks)
      : SequencePlan(function, ranks, /*isTokenwise=*/false) {}
  /// For a function that computes sequences of `tokens` one token at a time: as
  /// for as many ranks, each with one token.
  static SequencePlan forTokens(func::FuncOp function, int64_t tokens) {
    return SequencePlan(function, tokens, /*isTokenwise=*/true);
  }

  /// Fails, with an error, if an op other than attention mixes tokens, or if
  /// ranks cannot compute gradients.
  LogicalResult build();

  /// True if ranks have two pieces of each sequence: with causal attention one
  /// piece would give the later ranks more work.
  bool isBalanced() const { return pieces != ranks; }
  Sources getSources(Value value) const { return sources.lookup(value); }

private:
  SequencePlan(func::FuncOp function, int64_t ranks, bool isTokenwise)
      : Propagation(/*pieces=*/ranks), function(function), ranks(ranks),
        isTokenwise(isTokenwise) {}
  void findSources();
  LogicalResult share(AttentionOp op);
  LogicalResult checkSources();
  /// An error that says what cannot be computed: by ranks, or token by token.
  LogicalResult fail(Operation *op, const Twine &byRanks,
                     const Twine &byTokens);

  std::optional<LogicalResult> decide(Operation *op, bool ofResult,
                                      unsigned number,
                                      const DimSplit &cut) override;
  std::optional<std::string> findConflict(Operation *op,
                                          const OpSharding &sharding) override;
  LogicalResult change(Operation *op, bool ofResult) override;
  LogicalResult leaveOut(Operation *op, std::string reason) override;
  LogicalResult refuseSize(Operation *op, const Cut &cut) override;
  LogicalResult reconcile(Operation *op, Value value, DimSplit &own,
                          const DimSplit &cut) override;
  bool visitsOnlyShards() const override { return true; }

  func::FuncOp function;
  int64_t ranks;
  bool isTokenwise;
  llvm::DenseMap<Value, Sources> sources;
};

/// The token dimension of the operands of attention.
unsigned getSequenceDim(AttentionLayout layout);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_SEQUENCEPLAN_H
