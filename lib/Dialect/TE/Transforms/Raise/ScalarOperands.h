// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns scalars that the body of a linalg.generic captures into operands:
// tensors of rank 0, which have gradients, buffers and kernels like any others.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCALAROPERANDS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCALAROPERANDS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::te {

/// A float or integer as a tensor of rank 0, made before the insertion point: a
/// slice of the tensor it was extracted from, arithmetic on such tensors, or
/// tensor.from_elements.
Value getAsTensor(OpBuilder &builder, Value scalar);

/// Gives `op`, which has tensor semantics, a tensor of rank 0 as an input for
/// every float or integer that its body captures, constants apart, and in place
/// of every input that is such a number:
///
///   %s = tensor.extract %w[%c0] : tensor<8xf32>
///   linalg.generic ins(%x) { ^bb0(%a, %o): arith.mulf %a, %s ... }
/// becomes
///   %s = tensor.extract_slice %w[0] [1] [1] : tensor<8xf32> to tensor<f32>
///   linalg.generic ins(%x, %s) { ^bb0(%a, %b, %o): arith.mulf %a, %b ... }
///
/// Results keep their identity. Returns whether anything changed.
bool makeScalarsOperands(OpBuilder &builder, linalg::GenericOp op);

/// makeScalarsOperands() as a pattern, and the equivalent for ops that repeat
/// one number: tensor.splat, linalg.fill, and tensor.from_elements of one.
void populateScalarOperandPatterns(RewritePatternSet &patterns);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCALAROPERANDS_H
