// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets in an arena for buffers with known lifetimes.

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_ARENAPLACEMENT_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_ARENAPLACEMENT_H

#include "OccupiedSpace.h"

#include "te/Analysis/BufferLiveness.h"

namespace mlir::te {

/// The offset of every interval of a liveness in the arena, and the arena's
/// size.
class ArenaPlacement {
public:
  /// Tries a few orders, improves each until no arena can be smaller, and keeps
  /// the smallest. Then prefers one as small whose free memory at each of
  /// `workspacePositions` is in one piece, or nearly so. Offsets are multiples
  /// of `alignment`.
  static ArenaPlacement compute(ArrayRef<BufferInterval> intervals,
                                ArrayRef<unsigned> workspacePositions,
                                int64_t alignment);

  /// In the order of the intervals.
  ArrayRef<int64_t> getOffsets() const { return offsets; }
  int64_t getBytes() const { return bytes; }

  /// Checks independently of the placement that no two buffers in use at one
  /// time overlap.
  bool isValid(ArrayRef<BufferInterval> intervals) const;

  /// The longest free piece of the arena, {offset, bytes}, at each of
  /// `positions`, which ascend.
  SmallVector<std::pair<int64_t, int64_t>>
  findSpares(ArrayRef<BufferInterval> intervals,
             ArrayRef<unsigned> positions) const;

private:
  explicit ArenaPlacement(int64_t alignment) : alignment(alignment) {}

  static std::optional<ArenaPlacement>
  placeInOrder(ArrayRef<BufferInterval> intervals, ArrayRef<unsigned> order,
               int64_t alignment, int64_t limit, OccupiedSpace &space);
  /// Looks for a smaller arena, of no fewer than `bound` bytes, in orders that
  /// begin with `order`, which this one is of. Some tries for large programs,
  /// thousands for small ones.
  void improve(ArrayRef<BufferInterval> intervals, SmallVector<unsigned> order,
               int64_t bound, OccupiedSpace &space);

  SmallVector<int64_t> offsets;
  int64_t bytes = 0;
  int64_t alignment;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_ARENAPLACEMENT_H
