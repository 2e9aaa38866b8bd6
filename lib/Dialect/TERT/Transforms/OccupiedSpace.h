// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of an arena that are in use over time.

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_OCCUPIEDSPACE_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_OCCUPIEDSPACE_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mlir::te {

/// Pieces of memory, disjoint and in order; adjacent ones are merged.
class MemoryPieces {
public:
  void insert(int64_t begin, int64_t end);
  /// The end of the first piece that has a byte in [begin, end).
  std::optional<int64_t> findConflict(int64_t begin, int64_t end) const;
  void clear() { pieces.clear(); }

private:
  std::vector<std::pair<int64_t, int64_t>> pieces; // begin, end
};

/// A segment tree over positions in a program. Each node knows the memory taken
/// at all of its positions, and that taken at any of them. Adjacent buffers are
/// one piece in most nodes, so the lowest free offset for a buffer is found
/// without visiting the buffers, in time that depends on the logarithm of the
/// number of positions.
class OccupiedSpace {
public:
  explicit OccupiedSpace(unsigned numPositions);

  /// Takes `bytes` bytes from `offset` on, from position `first` to position
  /// `last`, inclusive.
  void insert(unsigned first, unsigned last, int64_t offset, int64_t bytes);

  /// The lowest offset from which `bytes` bytes are free from `first` to
  /// `last`.
  int64_t findLowest(unsigned first, unsigned last, int64_t bytes) const;

  /// Frees everything, but keeps capacity.
  void clear();

private:
  struct Node {
    MemoryPieces always, sometimes;
  };
  /// The fewest nodes whose positions are those from `first` to `last`.
  llvm::SmallVector<unsigned, 64> getCover(unsigned first, unsigned last) const;
  /// The nodes that `position` belongs to.
  llvm::SmallVector<unsigned, 32> getPath(unsigned position) const;

  unsigned numLeaves;
  /// The children of node i are 2i and 2i + 1; node 1 has all positions.
  std::vector<Node> nodes;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_OCCUPIEDSPACE_H
