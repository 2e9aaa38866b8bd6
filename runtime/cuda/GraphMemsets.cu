// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GraphMemsets.h"

#include "cuda/GraphNodes.h"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;

static constexpr int threadsPerBlock = 256;

/// Fills `rows` rows of `rowBytes` bytes, `pitch` bytes apart, with `pattern`:
/// the value repeated to four bytes. Rows begin at multiples of the value's
/// size, and so do the pieces that a thread writes.
static __global__ void fillRows(char *destination, size_t pitch,
                                size_t rowBytes, size_t rows,
                                uint32_t pattern) {
  size_t thread = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  size_t threads = size_t(gridDim.x) * blockDim.x;
  for (size_t row = blockIdx.y; row < rows; row += gridDim.y) {
    char *begin = destination + row * pitch, *end = begin + rowBytes;
    // The bytes before and after those that 16-byte stores cover. The pattern
    // repeats with every value, so an address determines its byte.
    auto aligned = [](char *p) {
      return reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(p) + 15) &
                                      ~uintptr_t(15));
    };
    auto byteAt = [&](const char *p) {
      return char(pattern >> (8 * (reinterpret_cast<uintptr_t>(p) % 4)));
    };
    char *body = aligned(begin) < end ? aligned(begin) : end;
    size_t vectors = size_t(end - body) / 16;
    uint4 value = {pattern, pattern, pattern, pattern};
    for (size_t i = thread; i < vectors; i += threads)
      reinterpret_cast<uint4 *>(body)[i] = value;
    char *tail = body + vectors * 16;
    if (thread < size_t(body - begin))
      begin[thread] = byteAt(begin + thread);
    if (thread < size_t(end - tail))
      tail[thread] = byteAt(tail + thread);
  }
}

/// The value repeated to four bytes; the pattern starts at multiples of 4.
static uint32_t patternOf(const cudaMemsetParams &memset) {
  switch (memset.elementSize) {
  case 1:
    return (memset.value & 0xff) * 0x01010101u;
  case 2:
    return (memset.value & 0xffff) * 0x00010001u;
  default:
    return memset.value;
  }
}

static cudaGraphNode_t addFill(cudaGraph_t graph,
                               const std::vector<cudaGraphNode_t> &dependencies,
                               const cudaMemsetParams &memset) {
  auto *destination = static_cast<char *>(memset.dst);
  size_t pitch = memset.pitch, rows = memset.height;
  size_t rowBytes = memset.width * memset.elementSize;
  uint32_t pattern = patternOf(memset);
  if (pitch == rowBytes) {
    rowBytes *= rows;
    rows = 1;
  }
  size_t blocks = (rowBytes / 16 + threadsPerBlock) / threadsPerBlock;
  void *arguments[] = {&destination, &pitch, &rowBytes, &rows, &pattern};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void *>(&fillRows);
  kernel.gridDim = dim3(unsigned(std::min<size_t>(blocks, 1024)),
                        unsigned(std::min<size_t>(rows, 1024)));
  kernel.blockDim = dim3(threadsPerBlock);
  kernel.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddKernelNode(&node, graph, dependencies.data(),
                               dependencies.size(), &kernel),
        "recording a graph");
  return node;
}

/// A memset's edges are plain, so they have no edge data.
template <typename Query>
static std::vector<cudaGraphNode_t> listNeighbours(const Query &query,
                                                   cudaGraphNode_t node) {
  return listNodes([&](cudaGraphNode_t *nodes, size_t *count) {
    return query(node, nodes, nullptr, count);
  });
}

void cuda::replaceMemsets(cudaGraph_t graph) {
  for (cudaGraphNode_t node : nodesOf(graph)) {
    if (typeOf(node) != cudaGraphNodeTypeMemset)
      continue;
    cudaMemsetParams memset = {};
    check(cudaGraphMemsetNodeGetParams(node, &memset), "reading a graph");
    cudaGraphNode_t fill =
        addFill(graph, listNeighbours(getDependencies, node), memset);
    for (cudaGraphNode_t dependent : listNeighbours(getDependents, node))
      check(addDependencies(graph, &fill, &dependent, nullptr, 1),
            "recording a graph");
    check(cudaGraphDestroyNode(node), "recording a graph");
  }
}
