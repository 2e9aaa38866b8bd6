// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks the loop that each dimension of a tensor walks, through reshapes,
// transposes and broadcasts.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_LOOPLABELS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_LOOPLABELS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::te {

/// A digit of a loop's counter: counter / stride % size.
struct Digit {
  unsigned loop;
  int64_t size, stride;

  bool operator==(const Digit &other) const {
    return loop == other.loop && size == other.size && stride == other.stride;
  }
};

/// The loop of a broadcast dimension.
constexpr unsigned kRepeats = ~0u;

/// Digits from the slowest to the fastest; a dimension of one element has none.
using Digits = SmallVector<Digit, 2>;

/// The digits that each dimension of a tensor walks.
using Labels = SmallVector<Digits, 0>;

/// All of a loop; empty if it has one iteration.
Digits wholeLoop(unsigned loop, int64_t size);

/// Joins adjacent digits that count as one: equal walks are equal then.
Digits normalize(ArrayRef<Digit> digits);
Digits flatten(const Labels &labels);
int64_t countOf(ArrayRef<Digit> digits);
bool contains(ArrayRef<Digit> digits, unsigned loop);

/// True if both walk the same loops, in any order.
bool walksSame(ArrayRef<Digit> a, ArrayRef<Digit> b);

/// The labels of the same elements in another shape; nullopt if a dimension of
/// it would take a fraction of a digit.
std::optional<Labels> relabel(const Labels &labels, ArrayRef<int64_t> shape);

/// True if `labels` walk as `whole` does, except that they may repeat along
/// digits of the loops `repeated`.
bool walksLike(const Labels &labels, const Labels &whole,
               ArrayRef<unsigned> repeated);

/// A tensor and the labels of its dimensions.
struct LabelledValue {
  Value value;
  Labels labels;

  /// Moves on to the source of a reshape, a transpose, or, with `throughCasts`,
  /// a conversion of its elements. Returns false if it is none.
  bool goBeforeView(bool throughCasts);
  /// Moves on to the source of a linalg.broadcast.
  bool goBeforeBroadcast();
};

/// The elements of `value`, whose row-major order is `from`, as a tensor of
/// `shape`, whose row-major order is `to`: reshapes, and a transpose if the
/// orders differ. Both walk the same loops.
Value reorder(OpBuilder &builder, Location loc, Value value,
              ArrayRef<Digit> from, ArrayRef<Digit> to,
              ArrayRef<int64_t> shape);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_LOOPLABELS_H
