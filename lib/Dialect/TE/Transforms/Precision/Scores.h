// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dataflow analysis: which values are computed from the result of one layer
// and besides from parameters and constants alone, in loops, branches and
// bodies of ops as well.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_SCORES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_SCORES_H

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/IR/AffineMap.h"

namespace mlir::te {

/// What a value is computed from.
struct ScoreState {
  enum class Kind {
    Unknown,    ///< not reached yet, or never
    Parameters, ///< parameters and constants, or places such as loop counters
    Score,      ///< besides, the result of one layer
    Other,      ///< anything, such as inputs and the results of two layers
  };
  Kind kind = Kind::Unknown;
  /// The layer's result, of a score.
  Value layer = {};
  /// Of a score, which elements: values of one place are computed from the same
  /// element of this value, element by element. With a map, a number in the
  /// body of a structured op is, which reads the value by that map.
  Value place = {};
  AffineMap map = {};

  static ScoreState parameters() { return {Kind::Parameters}; }
  static ScoreState other() { return {Kind::Other}; }

  bool isKnown() const { return kind != Kind::Unknown; }
  bool isScore() const { return kind == Kind::Score; }
  bool isOther() const { return kind == Kind::Other; }
  /// The same with the elements of `value`.
  ScoreState at(Value value) const;
  /// What is computed from both; from different elements, those of `owner`.
  static ScoreState mix(const ScoreState &one, const ScoreState &two,
                        Value owner);
  bool operator==(const ScoreState &other) const;
};

class ScoreLattice : public dataflow::AbstractSparseLattice {
public:
  using AbstractSparseLattice::AbstractSparseLattice;

  const ScoreState &get() const { return state; }
  ChangeResult join(const ScoreState &other);
  ChangeResult join(const dataflow::AbstractSparseLattice &other) override;
  void print(raw_ostream &os) const override;

private:
  ScoreState state;
};

/// Ends at products, attention and losses, which make other values of scores.
/// It needs dataflow::loadBaselineAnalyses().
class ScoreDataFlow
    : public dataflow::SparseForwardDataFlowAnalysis<ScoreLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const ScoreLattice *> operands,
                               ArrayRef<ScoreLattice *> results) override;
  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<ScoreLattice *> arguments,
                                    unsigned firstIndex) override;
  /// Function arguments with `te.param` are parameters.
  void setToEntryState(ScoreLattice *lattice) override;

private:
  const ScoreState &getInner(Operation *op, Value value);
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_SCORES_H
