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

int64_t MinCut::push(unsigned node, int64_t flow) {
  if (node == kSink)
    return flow;
  for (unsigned &i = next[node]; i < edgesOf[node].size(); ++i) {
    const unsigned number = edgesOf[node][i];
    const Edge edge = edges[number];
    if (edge.capacity <= 0 || levels[edge.to] != levels[node] + 1)
      continue;
    if (int64_t pushed = push(edge.to, std::min(flow, edge.capacity))) {
      edges[number].capacity -= pushed;
      edges[number ^ 1].capacity += pushed;
      return pushed;
    }
  }
  return 0;
}

llvm::BitVector MinCut::solve() {
  while (findLevels()) {
    next.assign(edgesOf.size(), 0);
    while (push(kSource, kInfinite))
      ;
  }
  llvm::BitVector side(edgesOf.size());
  for (size_t node = 0; node < levels.size(); ++node)
    if (levels[node] >= 0)
      side.set(node);
  return side;
}
