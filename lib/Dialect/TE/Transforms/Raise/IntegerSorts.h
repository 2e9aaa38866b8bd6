// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matchers for sorts of integers and for what reads their positions, as kernels
// that compare all pairs: frontends have no other form of them.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_INTEGERSORTS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_INTEGERSORTS_H

#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::te {

/// The place of each of `rows` integers, [1, rows, 1], when they are sorted;
/// equal ones keep their order. All places are different.
struct IntegerSort {
  static std::optional<IntegerSort> get(Operation *op);

  Value keys, places;
  int64_t rows;
  /// Whether the largest come first.
  bool largest;
};

/// Whether a kernel computes the places of numbers, [o, n, p], when those along
/// its dimension 1 are sorted, integers or floats: all different, but for NaNs.
bool sortsAlongRows(Operation *op);

/// Sums of x, [o, j, p], where ids[o, j, p] is i: y[o, i, p] over j if it
/// `scatters`, or else x[o, i, p] over i, with the shape of the ids.
struct PositionSum {
  static std::optional<PositionSum> get(Operation *op);

  Value ids, x, y;
  bool scatters;
};

/// The tensor that a kernel adds up along its dimension 1, [o, n, p], up to
/// each position; null if it does anything else.
Value getCumulativeSum(Operation *op);

/// The largest value that the elements of an integer tensor can have, if none
/// of them can be negative; nullopt if that is not known.
std::optional<int64_t> getUpperBound(Value value);

/// Whether a tensor holds its elements' positions along a dimension.
bool isPosition(ConstantEvaluator &evaluator, Value value, int64_t dim);

/// The one element that a constant repeats, perhaps reshaped or broadcast; null
/// if a value is none.
Attribute getRepeatedElement(Value value);

/// The vector along one dimension that a tensor repeats in all others, in any
/// shape of as many elements; null if it is not known to.
Value getVectorAlong(Value value, int64_t dim);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_INTEGERSORTS_H
