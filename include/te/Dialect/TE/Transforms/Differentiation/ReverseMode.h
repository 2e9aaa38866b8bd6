// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse-mode differentiation of straight-line IR whose ops implement
// DifferentiableOpInterface.

#ifndef TE_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_REVERSEMODE_H
#define TE_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_REVERSEMODE_H

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::te {

/// A value and what its cotangent is.
struct CotangentSeed {
  Value value;
  Value cotangent;
};

/// Builds, at the end of `block` (before its terminator, when it has one), the
/// cotangents of `wanted` from those of `seeds`: the vector-Jacobian product of
/// the computation in `block`. Values of `wanted` are block arguments or
/// results of ops in `block`, of floating point; one entry per value comes
/// back, null where no seed depends on it. An entry has its value's shape; its
/// element type is what the ops' products give.
///
/// Only what is needed is built: nothing for values that no entry of `wanted`
/// influences. Every op has the location of the op it is the gradient of.
///
/// Fails, with one error that lists them all, when ops without
/// DifferentiableOpInterface lie between `wanted` and `seeds`.
FailureOr<SmallVector<Value>>
buildVjp(Block &block, ArrayRef<CotangentSeed> seeds, ValueRange wanted);

/// Erases ops of `block` that have no effect and whose results nothing uses.
void eraseDeadOps(Block &block);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_REVERSEMODE_H
