// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matchers for the components of norms, in the forms of exporters.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_NORMMATCHERS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_NORMMATCHERS_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::te {

/// value = what * 1/sqrt(variance), broadcast along rows of n elements, and
/// optionally times a vector in every row.
struct ScaledRows {
  Value what;     ///< of value's shape
  Value variance; ///< one number for each row, in any shape
  Value row;      ///< the factor of every row, or null
};

/// All such readings of a product or a quotient, whose factors are in any
/// order; only the shapes of the operands are checked.
SmallVector<ScaledRows, 2> getScaledRows(Value value);

/// The value x of `value` = x², or null.
Value getSquared(Value value);

/// True if `value` is mean(x), or mean(x²), over the last dimension of x, [...,
/// n].
bool isMean(Value value, Value x, int64_t n);
bool isMeanOfSquares(Value value, Value x, int64_t n);

/// The value v of `value` = v + eps, where eps is a nonnegative number.
std::optional<std::pair<Value, double>> getPlusEpsilon(Value value);

/// A vector of float32 filled with one number.
Value repeatNumber(OpBuilder &builder, Location loc, int64_t size,
                   float number);

/// The factor of every row, of `size` elements, in the form of norms: a vector,
/// and whether 1 is to be added to it. Ones if `row` is null.
std::pair<Value, bool> getGamma(OpBuilder &builder, Location loc, Value row,
                                int64_t size);

/// True if `y` reaches only `last`, through reshapes and casts, and that has
/// one user.
bool isReadOnlyBy(Value y, Value last);

/// True if te.*_norm supports tensors of this type: rows of f32 or bf16.
bool isNormType(Type type);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_NORMMATCHERS_H
