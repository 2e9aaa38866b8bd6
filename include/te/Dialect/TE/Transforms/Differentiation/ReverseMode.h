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

/// Marks an op whose results are constants in differentiation although they
/// depend on differentiated values: values subtracted only to keep numbers in
/// range, such as the maximum in a softmax. A hint: without it the gradient is
/// the same and costs more.
inline constexpr llvm::StringLiteral kConstantAttr = "te.constant";

/// A value and its cotangent.
struct CotangentSeed {
  Value value;
  Value cotangent;
};

/// The result of buildVjp(), with one entry per wanted value.
struct VjpResult {
  /// Null if no gradient arrives. An entry has its value's shape; its element
  /// type follows from the ops' products.
  SmallVector<Value> cotangents;
  /// For a value without a cotangent that a seed nevertheless depends on: the
  /// first op on the path whose result has no gradient, such as a conversion to
  /// integers, a comparison or a rounding. Null otherwise.
  SmallVector<Operation *> stops;
};

/// Builds, at the end of `block` (before its terminator, if it has one), the
/// cotangents of `wanted` from those of `seeds`: the vector-Jacobian product of
/// the computation in `block`. Values of `wanted` are block arguments or
/// results of ops in `block`, of floating point.
///
/// Only needed ops are built: nothing for values that no entry of `wanted`
/// influences. Every op has the location of the op it is the gradient of.
/// Values that a region captures count as operands of its op; scalars among
/// them that a linalg.generic captures become its operands.
///
/// Fails, with one error that lists them all, if ops between `wanted` and
/// `seeds` have no DifferentiableOpInterface, work on buffers, or have regions
/// that capture a value that needs a gradient.
FailureOr<VjpResult> buildVjp(Block &block, ArrayRef<CotangentSeed> seeds,
                              ValueRange wanted);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_REVERSEMODE_H
