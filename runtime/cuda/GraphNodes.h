// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes and edges of CUDA graphs, under the same names for CUDA 12 and 13.
#ifndef TERT_CUDA_GRAPHNODES_H
#define TERT_CUDA_GRAPHNODES_H

#include "cuda/Error.h"

#include <vector>

#include <cuda_runtime.h>

namespace tert::cuda {

// Edges between kernels may have data that lets the second begin before the
// first ends. CUDA 13 renamed the functions with edge data to the names of
// those without.
#if CUDART_VERSION >= 13000
inline constexpr auto getEdges = cudaGraphGetEdges;
inline constexpr auto getDependencies = cudaGraphNodeGetDependencies;
inline constexpr auto getDependents = cudaGraphNodeGetDependentNodes;
inline constexpr auto addDependencies = cudaGraphAddDependencies;
inline constexpr auto removeDependencies = cudaGraphRemoveDependencies;
#else
inline constexpr auto getEdges = cudaGraphGetEdges_v2;
inline constexpr auto getDependencies = cudaGraphNodeGetDependencies_v2;
inline constexpr auto getDependents = cudaGraphNodeGetDependentNodes_v2;
inline constexpr auto addDependencies = cudaGraphAddDependencies_v2;
inline constexpr auto removeDependencies = cudaGraphRemoveDependencies_v2;
#endif

/// The nodes listed by a function that returns their number if the array is
/// null.
template <typename Query>
std::vector<cudaGraphNode_t> listNodes(const Query &query) {
  size_t count = 0;
  check(query(nullptr, &count), "reading a graph");
  std::vector<cudaGraphNode_t> nodes(count);
  check(query(nodes.data(), &count), "reading a graph");
  return nodes;
}

inline std::vector<cudaGraphNode_t> nodesOf(cudaGraph_t graph) {
  return listNodes([&](cudaGraphNode_t *nodes, size_t *count) {
    return cudaGraphGetNodes(graph, nodes, count);
  });
}

/// Returns cudaGraphNodeTypeCount for node types that only the driver API
/// names: waits on other GPUs' memory.
inline cudaGraphNodeType typeOf(cudaGraphNode_t node) {
  cudaGraphNodeType type;
  if (cudaGraphNodeGetType(node, &type) == cudaSuccess)
    return type;
  (void)cudaGetLastError(); // or a later call would report it
  return cudaGraphNodeTypeCount;
}

} // namespace tert::cuda

#endif // TERT_CUDA_GRAPHNODES_H
