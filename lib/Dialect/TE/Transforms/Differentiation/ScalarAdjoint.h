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

  /// An op on the way from the variables whose derivative is not known, or
  /// null.
  Operation *findUnknown() const;

  /// Adds `adjoint` to what is known of the derivative with respect to `value`.
  void add(OpBuilder &builder, Location loc, Value value, Value adjoint);

  /// Builds the derivatives with respect to everything the ops read, given
  /// those with respect to what they compute.
  void propagate(OpBuilder &builder);

  /// The derivative with respect to `value`, or null where there is none.
  Value lookup(Value value) const { return adjoints.lookup(value); }

private:
  bool readsActive(Operation *op) const;

  SmallVector<Operation *> ops;
  /// What depends on the variables.
  llvm::DenseSet<Value> active;
  llvm::DenseMap<Value, Value> adjoints;
};

/// `value` in another float type, or itself.
Value convertScalar(OpBuilder &builder, Location loc, Value value, Type type);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_SCALARADJOINT_H
