// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of sequences that ranks have, and the sequences that they make.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCEPARTS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCEPARTS_H

#include "Distribution/Reshard.h"

namespace mlir::te {

/// Builds exchanges among the ranks of one axis. Rank r of n has piece r of n
/// of each block of a cut dimension or, if balanced, the pieces r and 2n - 1 -
/// r of 2n, as te.attention says.
class SequenceParts {
public:
  SequenceParts(OpBuilder &builder, const AxisRanks &mesh, bool balanced)
      : builder(builder), mesh(mesh), balanced(balanced) {}

  /// The rank's part of what is whole on every rank. The cotangent of `whole`
  /// is that of all parts.
  Value slice(Location loc, Value whole, const DimCut &cut);
  /// The same of floats, with a cotangent of `whole` that is the part's there,
  /// and zero elsewhere: it is looked up by row.
  Value lookUp(Location loc, Value whole, const DimCut &cut);
  /// All parts, in order. If each rank computes something of its own from the
  /// whole (`varies`), the cotangent is a sum over the ranks.
  Value gather(Location loc, Value part, const DimCut &cut, bool varies);
  /// te.vary.
  Value vary(Location loc, Value whole);
  /// The sum of the ranks' terms.
  Value sum(Location loc, Value terms);

private:
  OpBuilder &builder;
  const AxisRanks &mesh;
  bool balanced;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCEPARTS_H
