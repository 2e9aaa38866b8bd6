// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What proved ranges say about a product in FP8.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_OPERANDRANGES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_OPERANDRANGES_H

#include "te/Analysis/Ranges.h"
#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// The reason, if any, that FP8 cannot hold an operand of a product: all of its
/// elements are 0, or so small that no scale in float32 makes them normal
/// numbers of a format.
std::optional<Fp8Refusal> checkRanges(Fp8OpInterface op,
                                      const RangeAnalysis &ranges);

/// The ranges of the operands, for a remark: "input <= 2^4.01, weight any";
/// empty if nothing is known of any.
std::string describeRanges(Fp8OpInterface op, const RangeAnalysis &ranges);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_OPERANDRANGES_H
