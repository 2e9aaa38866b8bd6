// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matchers shared by several patterns: numbers, reshapes, repeated vectors,
// sums over rows.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_MATCHERS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_MATCHERS_H

#include "te/Dialect/TE/IR/TE.h"

#include <optional>
#include <utility>

namespace mlir::te {

/// Compares with a constant that is written with few digits (0.7979 is not
/// accepted, 0.797884 is) and rounded to float32. Constants rounded to bfloat16
/// are not accepted.
bool isClose(double value, double expected);

/// The number of a splat constant.
std::optional<double> getNumber(Value value);

/// The operands of a sum of two values of one shape.
std::optional<std::pair<Value, Value>> getSum(Value value);

/// The value v of `value` = -v, or null.
Value getNegated(Value value);

/// True if every element of `value` is zero.
bool isZero(Value value);

/// True if the body of a structured op adds its input, at most widened, to the
/// sum.
bool addsUp(Block &body);

/// Looks through reshapes.
Value skipReshapes(Value value);
/// Looks through reshapes and conversions between floating-point types.
Value skipReshapesAndCasts(Value value);

/// True if two values have the same elements in the same order, in any shape,
/// widened or not.
bool isSameData(Value a, Value b);

/// The vector of `size` elements that `value`, [..., size], repeats in every
/// row; null if it does not.
Value getRepeatedRow(Value value, int64_t size);

/// The `rows` numbers that `value`, [..., size], repeats along its rows, one
/// each; null if it does not.
Value getRepeatedColumn(Value value, int64_t rows, int64_t size);

/// The matrix [..., size] whose rows `value` sums; null if it is no such sum.
Value getSummedRows(Value value, int64_t size);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_MATCHERS_H
