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

/// On an op whose results count as constants in differentiation, although they
/// are computed from what has gradients: what is subtracted only to keep
/// numbers in range, such as the maximum in a softmax. A hint: without it the
/// gradient is the same and costs more.
inline constexpr llvm::StringLiteral kConstantAttr = "te.constant";

/// A value and what its cotangent is.
struct CotangentSeed {
  Value value;
  Value cotangent;
};

/// What buildVjp() builds, with one entry per wanted value.
struct VjpResult {
  /// Null where no gradient arrives. An entry has its value's shape; its
  /// element type is what the ops' products give.
  SmallVector<Value> cotangents;
  /// For a value without a cotangent that a seed depends on all the same: the
  /// first op on the way whose result has no gradient, such as a conversion to
  /// integers, a comparison or a rounding. Null otherwise.
  SmallVector<Operation *> stops;
};

/// Builds, at the end of `block` (before its terminator, when it has one), the
/// cotangents of `wanted` from those of `seeds`: the vector-Jacobian product of
/// the computation in `block`. Values of `wanted` are block arguments or
/// results of ops in `block`, of floating point.
///
/// Only what is needed is built: nothing for values that no entry of `wanted`
/// influences. Every op has the location of the op it is the gradient of.
/// Values that a region captures count as read by its op; numbers among them
/// that a linalg.generic captures become operands of it.
///
/// Fails, with one error that lists them all, when ops lie between `wanted` and
/// `seeds` that have no DifferentiableOpInterface, that work on buffers, or
/// whose regions capture what should have a gradient.
FailureOr<VjpResult> buildVjp(Block &block, ArrayRef<CotangentSeed> seeds,
                              ValueRange wanted);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_REVERSEMODE_H
