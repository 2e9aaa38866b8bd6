// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of arith and math as functions of numbers.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H

#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"

#include <functional>

namespace mlir::te {

/// The op's result for its operands; false where it has none, such as a
/// division by zero.
using ScalarFunction = std::function<bool(const Number *operands, Number &)>;

/// What an op of arith or math computes, element by element; null for one that
/// is not known, or whose attributes ask for other arithmetic than IEEE 754's
/// with rounding to the nearest.
ScalarFunction getScalarFunction(Operation *op);

/// The nearest number that a float type has, ties to even.
double roundTo(double value, FloatType type);

/// An integer as its type holds it: sign-extended from its width, and 0 or 1
/// for i1.
int64_t wrapTo(int64_t value, Type type);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H
