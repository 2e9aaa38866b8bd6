// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory/MinCut.h"

#include <algorithm>

using namespace mlir::te;

void MinCut::addEdge(unsigned from, unsigned to, int64_t capacity) {
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, capacity});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

bool MinCut::findLevels() {
  levels.assign(edgesOf.size(), -1);
  levels[kSource] = 0;
  std::vector<unsigned> queue = {kSource};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned number : edgesOf[queue[i]])
      if (const Edge &edge = edges[number];
          edge.capacity > 0 && levels[edge.to] < 0) {
        levels[edge.to] = levels[queue[i]] + 1;
        queue.push_back(edge.to);
      }
  return levels[kSink] >= 0;
}

bool MinCut::push() {
  std::vector<unsigned> path; // numbers of edges
  unsigned node = kSource;
  while (node != kSink) {
    const llvm::SmallVector<unsigned, 4> &numbers = edgesOf[node];
    unsigned &i = next[node];
    while (i < numbers.size() &&
           (edges[numbers[i]].capacity <= 0 ||
            levels[edges[numbers[i]].to] != levels[node] + 1))
      ++i;
    if (i < numbers.size()) {
      path.push_back(numbers[i]);
      node = edges[numbers[i]].to;
      continue;
    }
    // The sink is not behind this node.
    if (path.empty())
      return false;
    node = edges[path.back() ^ 1].to;
    path.pop_back();
    ++next[node];
  }
  int64_t flow = kInfinite;
  for (unsigned number : path)
    flow = std::min(flow, edges[number].capacity);
  for (unsigned number : path) {
    edges[number].capacity -= flow;
    edges[number ^ 1].capacity += flow;
  }
  return true;
}

llvm::BitVector MinCut::solve() {
  while (findLevels()) {
    next.assign(edgesOf.size(), 0);
    while (push())
      ;
  }
  llvm::BitVector side(edgesOf.size());
  for (size_t node = 0; node < levels.size(); ++node)
    if (levels[node] >= 0)
      side.set(node);
  return side;
}
