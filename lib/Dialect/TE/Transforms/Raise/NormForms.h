// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the norms' formulas are made of, in the spellings of exporters.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_NORMFORMS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_NORMFORMS_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::te {

/// value = what * 1/sqrt(variance), repeated along rows of n elements, and
/// perhaps times a vector in every row.
struct ScaledRows {
  Value what;     ///< of value's shape
  Value variance; ///< one number for each row, in whatever shape
  Value row;      ///< null, or what every row is multiplied with
};

/// Such readings of a product or a quotient, whose factors stand in any order;
/// of what they read, only the shapes fit.
SmallVector<ScaledRows, 2> getScaledRows(Value value);

/// The value x of `value` = x², or null.
Value getSquared(Value value);

/// Whether `value` is mean(x), or mean(x²), over the last dimension of x,
/// [..., n].
bool isMean(Value value, Value x, int64_t n);
bool isMeanOfSquares(Value value, Value x, int64_t n);

/// The value v of `value` = v + eps, where eps is a number and not negative.
std::optional<std::pair<Value, double>> getPlusEpsilon(Value value);

/// A vector of float32 that repeats one number.
Value repeatNumber(OpBuilder &builder, Location loc, int64_t size,
                   float number);

/// What every row is multiplied with, of `size` elements, as norms take it: a
/// vector, and whether 1 is to be added to it. Ones where `row` is null.
std::pair<Value, bool> getGamma(OpBuilder &builder, Location loc, Value row,
                                int64_t size);

/// Whether `y` reaches nothing but `last`, through reshapes and casts, and that
/// has one user.
bool isReadOnlyBy(Value y, Value last);

/// Whether te.*_norm takes tensors of this type: rows of f32 or bf16.
bool isNormType(Type type);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_NORMFORMS_H
