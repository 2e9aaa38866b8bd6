// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of arith and math as functions of numbers.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H

#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"

#include <functional>

namespace mlir::te {

/// The op's result for its operands; false if it has none, such as a division
/// by zero.
using ScalarFunction = std::function<bool(const Number *operands, Number &)>;

/// The elementwise function of an op of arith or math; null for an unknown one,
/// or one with attributes that request arithmetic other than IEEE 754's with
/// rounding to nearest.
ScalarFunction getScalarFunction(Operation *op);

/// The nearest number of a float type, ties to even.
double roundTo(double value, FloatType type);

/// An integer as its type stores it: sign-extended from its width, and 0 or 1
/// for i1.
int64_t wrapTo(int64_t value, Type type);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H
