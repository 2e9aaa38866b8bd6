// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expansions of math ops on f32 into arithmetic, the same for all targets.

#ifndef TE_LIB_CONVERSION_KERNELSTOLLVM_ELEMENTARYFUNCTIONS_H
#define TE_LIB_CONVERSION_KERNELSTOLLVM_ELEMENTARYFUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::te {

/// Expands all functions of math, and arith.remf, for which LLVM or a target
/// would call a library: within 2 units in the last place, subnormal results
/// included, and with the special values of C99's annex F.
void populateElementaryFunctionPatterns(RewritePatternSet &patterns);

/// Defines the results of ops within `root` that are undefined in LLVM:
/// divisions by 0 and of the smallest integer by -1, shifts by more than all
/// bits, conversions of out-of-range floats. Must run before passes that build
/// such ops for operands known to be safe.
void defineArithmetic(Operation *root);

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_KERNELSTOLLVM_ELEMENTARYFUNCTIONS_H
