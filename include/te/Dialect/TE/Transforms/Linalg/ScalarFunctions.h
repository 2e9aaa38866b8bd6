// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of arith and math as functions of numbers.

#ifndef TE_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H
#define TE_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <functional>

namespace mlir::te {

/// An integer (sign-extended; of i1, 0 or 1) or a float.
union Number {
  int64_t integer;
  double real;
};

/// The op's result for its operands; false if it has none, such as a division
/// by zero.
using ScalarFunction = std::function<bool(const Number *operands, Number &)>;

/// The elementwise function of an op of arith or math; null for an unknown one,
/// or one with attributes that request arithmetic other than IEEE 754's with
/// rounding to nearest.
ScalarFunction getScalarFunction(Operation *op);
/// The same for an op without attributes, "arith.addf", on operands of element
/// type `from` with results of type `to`.
ScalarFunction getScalarFunction(StringRef name, Type from, Type to);
/// Comparisons of floats, and of integers of a type.
ScalarFunction getComparison(arith::CmpFPredicate predicate);
ScalarFunction getComparison(arith::CmpIPredicate predicate, Type type);

/// The nearest number of a float type, ties to even.
double roundTo(double value, Type type);

/// An integer as its type stores it: sign-extended from its width, and 0 or 1
/// for i1.
int64_t wrapTo(int64_t value, Type type);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_LINALG_SCALARFUNCTIONS_H
