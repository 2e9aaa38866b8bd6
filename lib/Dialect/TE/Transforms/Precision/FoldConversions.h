// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between float types that the ops beside them can make.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_FOLDCONVERSIONS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_FOLDCONVERSIONS_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// The value that `truncation` only gives back, because it was widened from
/// that type; null if there is none.
Value getWidenedValue(arith::TruncFOp truncation);

/// Lets the op that computes what `conversion` (arith.extf or arith.truncf)
/// reads write it in the type converted to, and replaces the conversion. Fails,
/// with nothing changed, unless the conversion is all that reads the value,
/// possibly through reshapes, and `canConvert` accepts the op's result.
LogicalResult foldIntoProducer(RewriterBase &rewriter, Operation *conversion,
                               llvm::function_ref<bool(OpResult)> canConvert);

/// Patterns that leave conversions of tensors to the te ops around them,
/// without a change of any value:
/// - a truncation of what was widened from the same type goes;
/// - extensions move behind reshapes, slices, splits and concatenations, and
///   vanish before te ops that read any float type;
/// - truncations move before splits and insertions into constants, and vanish
///   behind constants and ops that round their result themselves
///   (MixedPrecisionOpInterface::getConvertibleResults).
void populateFoldConversionsPatterns(RewritePatternSet &patterns);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_FOLDCONVERSIONS_H
