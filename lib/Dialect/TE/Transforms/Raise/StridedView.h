// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of which tensor a value holds, through reshapes, slices,
// transposes and broadcasts.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_STRIDEDVIEW_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_STRIDEDVIEW_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::te {

/// A loop of `size` iterations, each of which moves on by `stride` elements, in
/// row-major order; 0 repeats.
struct Stride {
  int64_t size, stride;

  bool operator==(const Stride &other) const {
    return size == other.size && stride == other.stride;
  }
};

/// Nested loops, the slowest first. Canonical if none has one iteration and no
/// two that are adjacent could be one.
using Strides = SmallVector<Stride, 4>;

Strides canonicalize(ArrayRef<Stride> loops);
int64_t countOf(ArrayRef<Stride> loops);
/// True if some loop does not repeat.
bool moves(ArrayRef<Stride> loops);
/// The loops along each dimension of `shape`; nullopt if a dimension would take
/// a part of a loop's iterations that is no factor of them.
std::optional<SmallVector<Strides>> splitLoops(ArrayRef<Stride> loops,
                                               ArrayRef<int64_t> shape);

/// The elements of `source` from `offset` on that loops walk over, in groups
/// that callers give a meaning; all canonical.
struct StridedView {
  Value source;
  int64_t offset = 0;
  SmallVector<Strides> groups;

  /// All of `value`, in one group.
  explicit StridedView(Value value);
  StridedView(Value source, int64_t offset, SmallVector<Strides> groups)
      : source(source), offset(offset), groups(std::move(groups)) {}

  bool operator==(const StridedView &other) const {
    return source == other.source && offset == other.offset &&
           groups == other.groups;
  }

  /// Moves on to what the op that defines `source` took the elements from;
  /// false, with nothing changed, if it computes them or the walk has no such
  /// form there.
  bool goBefore();
  /// That as often as possible.
  void goToStart() {
    while (goBefore()) {
    }
  }
  /// The same walk over `inner`, a view in one group of all of `source`.
  std::optional<StridedView> over(const StridedView &inner) const;
  /// Whether a group's loops do not repeat only.
  bool movesIn(unsigned group) const { return moves(groups[group]); }

  /// The elements as a tensor of `shape`, in the order of the groups named:
  /// reshapes, a slice, a transpose, a broadcast. Null if the loops overlap.
  /// Groups that are not named must have one iteration or repeat.
  Value build(OpBuilder &builder, Location loc, ArrayRef<unsigned> order,
              ArrayRef<int64_t> shape) const;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_STRIDEDVIEW_H
