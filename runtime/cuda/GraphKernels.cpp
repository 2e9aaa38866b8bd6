// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GraphKernels.h"

#include "cuda/Driver.h"
#include "cuda/GraphNodes.h"
#include "cuda/KernelName.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

using namespace tert;
using namespace tert::cuda;

namespace {

/// A linear graph.
struct Chain {
  std::vector<cudaGraphNode_t> nodes;
  std::vector<cudaGraphEdgeData> edges; ///< after every node but the last
};

/// The driver's names of kernels of all libraries.
class KernelNames {
public:
  KernelNames()
      : getParams(
            findDriverFunction<GetParams>("cuGraphKernelNodeGetParams", 12000)),
        getFunctionName(
            findDriverFunction<GetFunctionName>("cuFuncGetName", 12030)),
        getKernelName(
            findDriverFunction<GetKernelName>("cuKernelGetName", 12030)) {}

  std::string of(cudaGraphNode_t node) const {
    CUDA_KERNEL_NODE_PARAMS kernel = {};
    if (!getParams || getParams(node, &kernel) != CUDA_SUCCESS)
      return "kernel";
    const char *name = nullptr;
    if (kernel.func && getFunctionName)
      getFunctionName(&name, kernel.func);
    else if (kernel.kern && getKernelName)
      getKernelName(&name, kernel.kern);
    return name ? readableKernelName(name) : "kernel";
  }

private:
  using GetParams = CUresult (*)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS *);
  using GetFunctionName = CUresult (*)(const char **, CUfunction);
  using GetKernelName = CUresult (*)(const char **, CUkernel);

  GetParams getParams;
  GetFunctionName getFunctionName;
  GetKernelName getKernelName;
};

} // namespace

/// Nothing if the graph is not linear.
static std::optional<Chain> findChain(cudaGraph_t graph) {
  std::vector<cudaGraphNode_t> nodes = nodesOf(graph);
  size_t numEdges = 0;
  check(getEdges(graph, nullptr, nullptr, nullptr, &numEdges),
        "reading a graph");
  if (nodes.empty() || numEdges != nodes.size() - 1)
    return std::nullopt;
  std::vector<cudaGraphNode_t> from(numEdges), to(numEdges);
  std::vector<cudaGraphEdgeData> data(numEdges);
  if (numEdges > 0)
    check(getEdges(graph, from.data(), to.data(), data.data(), &numEdges),
          "reading a graph");

  std::unordered_map<cudaGraphNode_t, size_t> edgeAfter;
  std::unordered_set<cudaGraphNode_t> haveEdgeBefore;
  for (size_t i = 0; i < numEdges; ++i)
    if (!edgeAfter.emplace(from[i], i).second ||
        !haveEdgeBefore.insert(to[i]).second)
      return std::nullopt;
  Chain chain;
  for (cudaGraphNode_t node : nodes)
    if (!haveEdgeBefore.count(node)) // there is exactly one
      chain.nodes.push_back(node);
  for (auto edge = edgeAfter.find(chain.nodes.back()); edge != edgeAfter.end();
       edge = edgeAfter.find(chain.nodes.back())) {
    chain.edges.push_back(data[edge->second]);
    chain.nodes.push_back(to[edge->second]);
  }
  if (chain.nodes.size() != nodes.size()) // a cycle next to a chain
    return std::nullopt;
  return chain;
}

bool cuda::isChain(cudaGraph_t graph) { return findChain(graph).has_value(); }

/// The mark that the node records, if any.
static std::optional<size_t> markOf(cudaGraphNode_t node,
                                    const EventTimer &timer) {
  if (typeOf(node) != cudaGraphNodeTypeEventRecord)
    return std::nullopt;
  cudaEvent_t event = nullptr;
  check(cudaGraphEventRecordNodeGetEvent(node, &event), "reading a graph");
  return timer.find(event);
}

static std::string nameOf(cudaGraphNode_t node, const KernelNames &names) {
  switch (typeOf(node)) {
  case cudaGraphNodeTypeKernel:
    return names.of(node);
  case cudaGraphNodeTypeMemcpy:
    return "memcpy";
  default:
    return "other";
  }
}

/// Inserts a mark between two neighbours of the chain; returns its number.
static size_t insertMark(cudaGraph_t graph, EventTimer &timer,
                         const Chain &chain, size_t behind) {
  cudaGraphNode_t node = chain.nodes[behind], mark = nullptr;
  size_t number = timer.add();
  check(
      cudaGraphAddEventRecordNode(&mark, graph, &node, 1, timer.event(number)),
      "recording a graph");
  if (behind + 1 < chain.nodes.size()) {
    cudaGraphNode_t next = chain.nodes[behind + 1];
    check(removeDependencies(graph, &node, &next, &chain.edges[behind], 1),
          "recording a graph");
    check(addDependencies(graph, &mark, &next, nullptr, 1),
          "recording a graph");
  }
  return number;
}

std::optional<std::vector<RecordedKernel>>
cuda::timeKernels(cudaGraph_t graph, EventTimer &timer) {
  std::optional<Chain> chain = findChain(graph);
  if (!chain)
    return std::nullopt;
  std::vector<RecordedKernel> kernels;
  const KernelNames names;
  std::optional<size_t> op, last;
  for (size_t i = 0; i < chain->nodes.size(); ++i) {
    cudaGraphNode_t node = chain->nodes[i];
    if (std::optional<size_t> mark = markOf(node, timer)) {
      op = last = mark;
      continue;
    }
    if (!last) // Its start was not recorded.
      continue;
    std::optional<size_t> end;
    if (i + 1 < chain->nodes.size())
      end = markOf(chain->nodes[i + 1], timer);
    if (!end)
      end = insertMark(graph, timer, *chain, i);
    kernels.push_back({nameOf(node, names), *last, *end, *op});
    last = end;
  }
  return kernels;
}
