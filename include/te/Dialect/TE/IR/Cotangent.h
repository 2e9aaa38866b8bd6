// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What vector-Jacobian products are built with: for DifferentiableOpInterface
// of the te ops, for external models, and for embedders' own ops.

#ifndef TE_DIALECT_TE_IR_COTANGENT_H
#define TE_DIALECT_TE_IR_COTANGENT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::te {

/// `value` with the element type `elementType`: itself, or extended or
/// truncated with arith. Both types are floating point.
Value convertElementType(OpBuilder &builder, Location loc, Value value,
                         Type elementType);

/// A constant of zeros; `type` has floating point or integer elements.
Value createZeros(OpBuilder &builder, Location loc, RankedTensorType type);

/// The tensor with all its dimensions but the last folded into rows: [M,N]. A
/// vector becomes [1,N], a scalar [1,1].
Value collapseToMatrix(OpBuilder &builder, Location loc, Value value);

/// A matrix from collapseToMatrix given the shape `shape` it had.
Value expandFromMatrix(OpBuilder &builder, Location loc, Value matrix,
                       ArrayRef<int64_t> shape);

/// `a + b` for tensors of one shape, of any rank. The element type is the wider
/// of the two.
Value addTensors(OpBuilder &builder, Location loc, Value a, Value b);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_COTANGENT_H
