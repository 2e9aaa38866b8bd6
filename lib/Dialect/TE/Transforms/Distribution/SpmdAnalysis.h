// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks that run the same entry have in common.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SPMDANALYSIS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SPMDANALYSIS_H

#include "te/Dialect/TE/IR/Mesh.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// Axes of a mesh, bit a for axis a, as the runtime has them.
using AxisSet = uint32_t;

AxisSet toAxisSet(ArrayRef<shard::GridAxis> axes);

/// How a value differs between the ranks along each axis.
struct Agreement {
  /// Ranks have values of their own.
  AxisSet own = 0;
  /// They have the same, made so by a collective. Along axes of no set they
  /// have the same because they compute it from the same.
  AxisSet reduced = 0;
  /// They have parts of one tensor: `flat_axes` of #te.shard.
  AxisSet parts = 0;

  /// Of what is computed, element by element, from values like this and like
  /// `other`.
  Agreement join(Agreement other) const {
    AxisSet owned = own | other.own;
    AxisSet cut = (parts | other.parts) & ~owned;
    return {owned, (reduced | other.reduced) & ~owned & ~cut, cut};
  }
  /// After a collective along `axes` that gives all ranks the same.
  Agreement afterReduction(AxisSet axes) const {
    AxisSet differ = (own | parts) & ~axes;
    return {own & ~axes, (reduced | axes) & ~differ, parts & ~axes};
  }
  /// After one that gives each rank its part.
  Agreement afterScatter(AxisSet axes) const {
    return {own & ~axes, reduced & ~axes, parts | axes};
  }
  /// Of what is computed from parts otherwise than element by element.
  Agreement withoutParts() const { return {own | parts, reduced, 0}; }
};

/// Whether each element of the op's results depends on the same element of its
/// operands alone, besides scalars: what it makes of parts are parts. Scalars
/// among its results are not.
bool isElementwise(Operation *op);

/// Whether the op makes parts of parts by putting elements elsewhere: in
/// another shape, one tensor's behind another's, or some of them.
bool movesParts(Operation *op);

/// The agreement of every value in the body of a straight-line entry.
class SpmdAnalysis {
public:
  SpmdAnalysis(func::FuncOp function, const Mesh &mesh);

  Agreement get(Value value) const { return values.lookup(value); }
  /// Of everything that an op reads, in its regions, too.
  Agreement getOperands(Operation *op) const;
  /// Axes along which ranks do not have what the state of a kind of their own
  /// (isOwnStateKind) holds in common.
  AxisSet getOwnAxes(StringRef kind, StringRef state) const {
    // The loss is that of all ranks along cp already.
    const bool isLoss = kind == "accumulator" && state != "loss.guard";
    return isLoss ? data : terms;
  }
  /// Axes along which gradients are terms of a sum.
  AxisSet getTerms() const { return terms; }

private:
  Agreement getArgument(unsigned argument);
  Agreement getResult(OpResult result, Agreement operands) const;

  func::FuncOp function;
  AxisSet all;
  /// Axes along which ranks have batches of their own.
  AxisSet data;
  /// Those along which their gradients are terms of a sum.
  AxisSet terms;
  llvm::DenseMap<Value, Agreement> values;
};

/// Whether every rank has its own of a state of this kind: what it has not
/// exchanged yet.
bool isOwnStateKind(StringRef kind);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SPMDANALYSIS_H
