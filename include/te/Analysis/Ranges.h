// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proved bounds on the absolute values of tensors: a dataflow analysis over te
// ops and upstream's, which asks RangeOpInterface. docs/precision.md has the
// formulas.

#ifndef TE_ANALYSIS_RANGES_H
#define TE_ANALYSIS_RANGES_H

#include "te/Dialect/TE/IR/Magnitude.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"

namespace mlir {
class DialectRegistry;

namespace te {

/// What is known of a value so far; nothing where the analysis has not been
/// yet, or never is because it is not reachable.
class RangeState {
public:
  RangeState() = default;
  explicit RangeState(MagnitudeRange range) : range(range) {}

  bool isKnown() const { return range.has_value(); }
  MagnitudeRange getRange() const { return *range; }
  bool operator==(const RangeState &other) const {
    return range == other.range;
  }
  /// A range that has become wider often enough, as in a loop, becomes
  /// everything.
  static RangeState join(const RangeState &first, const RangeState &second);
  void print(raw_ostream &os) const;

private:
  std::optional<MagnitudeRange> range;
  unsigned numWidened = 0;
};

using RangeLattice = dataflow::Lattice<RangeState>;

/// The analysis, for solvers that run others as well. It needs
/// dataflow::loadBaselineAnalyses().
class RangeDataFlow
    : public dataflow::SparseForwardDataFlowAnalysis<RangeLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const RangeLattice *> operands,
                               ArrayRef<RangeLattice *> results) override;
  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<RangeLattice *> arguments,
                                    unsigned firstIndex) override;
  /// Function arguments have what `te.max_abs` and `te.range` declare.
  void setToEntryState(RangeLattice *lattice) override;
};

/// Ranges of all values under an op. An analysis of the pass manager, and valid
/// until the IR changes. Under a module, arguments of private functions have
/// the ranges of their calls; under anything else they are any that the
/// function may be called with.
///
/// Precisely: run the ops in any order on arguments within their declared
/// bounds, each op with the relative rounding errors of Magnitude.h; then
/// every element that is finite lies within its range. That infinities or NaN
/// do not come up is not promised.
class RangeAnalysis {
public:
  explicit RangeAnalysis(Operation *root);

  /// That of `value`; at the worst that of its type.
  MagnitudeRange get(Value value) const;

private:
  DataFlowSolver solver;
};

/// Attaches RangeOpInterface to upstream's ops of arith, linalg, math and
/// tensor.
void registerRangeOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace te
} // namespace mlir

#endif // TE_ANALYSIS_RANGES_H
