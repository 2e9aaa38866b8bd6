// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expansions of math ops on f32 into arithmetic.

#ifndef TE_LIB_CONVERSION_KERNELSTOLLVM_ELEMENTARYFUNCTIONS_H
#define TE_LIB_CONVERSION_KERNELSTOLLVM_ELEMENTARYFUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::te {

/// math.sinh and cosh, finite wherever the results are, and math.sin and cos,
/// within 2^-24 for every finite argument.
void populateElementaryFunctionPatterns(RewritePatternSet &patterns);

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_KERNELSTOLLVM_ELEMENTARYFUNCTIONS_H
