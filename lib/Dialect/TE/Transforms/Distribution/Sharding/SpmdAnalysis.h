// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Agreement of values between ranks that run the same entry.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_SPMDANALYSIS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_SPMDANALYSIS_H

#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/Mesh.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// A set of mesh axes, bit a for axis a, as in the runtime.
using AxisSet = uint32_t;

AxisSet toAxisSet(ArrayRef<shard::GridAxis> axes);

/// How a value differs between the ranks along each axis.
struct Agreement {
  /// Axes whose ranks have different values.
  AxisSet own = 0;
  /// Axes whose ranks agree because of a collective. Along axes in no set ranks
  /// agree because they compute it from the same values.
  AxisSet reduced = 0;
  /// Axes whose ranks have shards of one tensor: `flat_axes` of #te.shard.
  AxisSet parts = 0;

  /// For a result computed elementwise from values like this and like `other`.
  Agreement join(Agreement other) const {
    AxisSet owned = own | other.own;
    AxisSet cut = (parts | other.parts) & ~owned;
    return {owned, (reduced | other.reduced) & ~owned & ~cut, cut};
  }
  /// After a reduction or gather along `axes`.
  Agreement afterReduction(AxisSet axes) const {
    AxisSet differ = (own | parts) & ~axes;
    return {own & ~axes, (reduced | axes) & ~differ, parts & ~axes};
  }
  /// After a reduce-scatter along `axes`.
  Agreement afterScatter(AxisSet axes) const {
    return {own & ~axes, reduced & ~axes, parts | axes};
  }
  /// For a result computed from shards other than elementwise.
  Agreement withoutShards() const { return {own | parts, reduced, 0}; }
};

/// True if each element of the op's results depends only on the same element of
/// its operands, besides scalars: results of shards are shards. Excludes scalar
/// results.
bool isElementwise(Operation *op);

/// True if the op moves elements of shards: a reshape, a concatenation or a
/// slice.
bool movesShardElements(Operation *op);

/// The agreement of every value in the body of a straight-line entry.
class SpmdAnalysis {
public:
  SpmdAnalysis(func::FuncOp function, const Mesh &mesh);

  Agreement get(Value value) const { return values.lookup(value); }
  /// The agreement of all operands of an op, including those in its regions.
  Agreement getOperands(Operation *op) const;
  /// Axes along which ranks do not share a state of an own kind
  /// (isOwnStateKind).
  AxisSet getOwnAxes(StringRef kind) const {
    // The loss is already reduced over the ranks along cp.
    return kind == kLossSumKind ? data : terms;
  }
  /// Axes along which gradients are terms of a sum.
  AxisSet getTerms() const { return terms; }

private:
  Agreement getArgument(unsigned argument);
  Agreement getResult(OpResult result, Agreement operands) const;

  func::FuncOp function;
  AxisSet all;
  /// Axes along which ranks have different batches.
  AxisSet data;
  /// Axes along which their gradients are terms of a sum.
  AxisSet terms;
  llvm::DenseMap<Value, Agreement> values;
};

/// True if every rank has its own state of this kind: one that is not reduced
/// yet.
bool isOwnStateKind(StringRef kind);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_SPMDANALYSIS_H
