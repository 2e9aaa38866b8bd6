// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds conversions between float types into adjacent ops.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_FOLDCONVERSIONS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_FOLDCONVERSIONS_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::te {

/// The value of which `truncation` undoes the widening; null if there is none.
Value getWidenedValue(arith::TruncFOp truncation);

/// Makes the op that computes the operand of `conversion` (arith.extf or
/// arith.truncf) write it in the target type, and replaces the conversion.
/// Fails, with nothing changed, unless the conversion is the only reader of the
/// value, possibly through reshapes, and `canConvert` accepts the op's result.
LogicalResult foldIntoProducer(RewriterBase &rewriter, Operation *conversion,
                               llvm::function_ref<bool(OpResult)> canConvert);

/// Replaces a truncation of a concatenation, its only reader, by the
/// concatenation of truncated parts.
void truncateParts(RewriterBase &rewriter, arith::TruncFOp truncation,
                   tensor::ConcatOp concat);

/// Patterns that fold conversions of tensors into adjacent te ops, without
/// changing any value:
/// - a truncation of a value widened from the same type is removed;
/// - extensions move after reshapes, slices, splits and concatenations, and
/// vanish before te ops that read any float type;
/// - truncations move before splits and insertions into constants, and vanish
/// after constants and ops that round their result themselves
/// (MixedPrecisionOpInterface::getConvertibleResults).
void populateFoldConversionsPatterns(RewritePatternSet &patterns);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_FOLDCONVERSIONS_H
