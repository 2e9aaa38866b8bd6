// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse mode on scalar arithmetic: the body of a structured op.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_SCALARADJOINT_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_SCALARADJOINT_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::te {

/// Derivatives with respect to `variables` of values that `ops` compute from
/// them, straight-line arith and math ops on scalars.
class ScalarAdjoint {
public:
  ScalarAdjoint(ArrayRef<Operation *> ops, ValueRange variables);

  /// An op on the path from the variables with an unknown derivative, or null.
  Operation *findUnknown() const;

  /// Adds `adjoint` to the derivative with respect to `value`.
  void add(OpBuilder &builder, Location loc, Value value, Value adjoint);

  /// Builds the derivatives with respect to all operands of the ops, given
  /// those with respect to their results.
  void propagate(OpBuilder &builder);

  /// The derivative with respect to `value`, or null if there is none.
  Value lookup(Value value) const { return adjoints.lookup(value); }

private:
  bool readsActive(Operation *op) const;

  SmallVector<Operation *> ops;
  /// The values that depend on the variables.
  llvm::DenseSet<Value> active;
  llvm::DenseMap<Value, Value> adjoints;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_SCALARADJOINT_H
