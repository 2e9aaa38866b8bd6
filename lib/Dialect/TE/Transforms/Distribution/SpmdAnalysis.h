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

/// The axes whose ranks have parts of the state that has these attributes
/// (te.shard).
AxisSet getPartAxes(DictionaryAttr attrs);

/// How a value differs between the ranks along each axis.
struct Agreement {
  /// Ranks have values of their own.
  AxisSet own = 0;
  /// They have the same, made so by a collective. Along axes of neither set
  /// they have the same because they compute it from the same.
  AxisSet reduced = 0;

  /// Of what is computed from values like this and like `other`.
  Agreement join(Agreement other) const {
    AxisSet owned = own | other.own;
    return {owned, (reduced | other.reduced) & ~owned};
  }
  /// After a collective along `axes` that gives all ranks the same.
  Agreement afterReduction(AxisSet axes) const {
    return {own & ~axes, (reduced | axes) & ~(own & ~axes)};
  }
};

/// The agreement of every value in the body of a straight-line entry.
class SpmdAnalysis {
public:
  SpmdAnalysis(func::FuncOp function, const Mesh &mesh);

  Agreement get(Value value) const { return values.lookup(value); }
  /// Of everything that an op reads, in its regions, too.
  Agreement getOperands(Operation *op) const;

private:
  Agreement getArgument(unsigned argument);
  Agreement getResults(Operation *op) const;

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
