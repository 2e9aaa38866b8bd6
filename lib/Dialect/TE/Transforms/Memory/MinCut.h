// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest cut of a network.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_MINCUT_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_MINCUT_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace mlir::te {

/// A network whose edges have capacities, found to be cut at the least cost
/// (Dinic's algorithm).
class MinCut {
public:
  /// Of an edge that is not cut. Finite capacities add up to less.
  static constexpr int64_t kInfinite = int64_t(1) << 61;
  static constexpr unsigned kSource = 0, kSink = 1;

  explicit MinCut(unsigned numNodes) : edgesOf(numNodes) {}

  unsigned addNode() {
    edgesOf.emplace_back();
    return edgesOf.size() - 1;
  }
  void addEdge(unsigned from, unsigned to, int64_t capacity);

  /// By node, whether it stays with the source. Of several cheapest cuts that
  /// with the fewest such nodes.
  llvm::BitVector solve();

private:
  struct Edge {
    unsigned to;
    int64_t capacity;
  };
  /// Distances from the source; false if the sink cannot be reached.
  bool findLevels();
  /// Fills one path along the distances; false if there is none.
  bool push();

  /// An edge and its reverse have neighbouring numbers.
  std::vector<Edge> edges;
  std::vector<llvm::SmallVector<unsigned, 4>> edgesOf;
  std::vector<int> levels;
  std::vector<unsigned> next;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_MINCUT_H
