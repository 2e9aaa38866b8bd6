// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GraphMemsets.h"

#include "HasGpu.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace tert::cuda;

namespace {

/// One memset as cudaMemset2D and its like ask for it.
struct Memset {
  size_t offset, pitch, width, height;
  unsigned elementSize, value;
};

constexpr size_t bytes = 1 << 16;

#define ASSERT_CUDA(call) ASSERT_EQ(call, cudaSuccess)

class GraphMemsetsTest : public testing::Test {
protected:
  void SetUp() override {
    if (!tert_test::hasGpu())
      GTEST_SKIP() << "no GPU";
    ASSERT_CUDA(cudaMalloc(&memory, bytes));
    ASSERT_CUDA(cudaStreamCreate(&stream));
    ASSERT_CUDA(cudaGraphCreate(&graph, 0));
  }
  void TearDown() override {
    if (graph)
      cudaGraphDestroy(graph);
    if (stream)
      cudaStreamDestroy(stream);
    cudaFree(memory);
  }

  /// After `last`, which it becomes.
  void add(const Memset &memset) {
    cudaMemsetParams params = {};
    params.dst = memory + memset.offset;
    params.pitch = memset.pitch;
    params.width = memset.width;
    params.height = memset.height;
    params.elementSize = memset.elementSize;
    params.value = memset.value;
    cudaGraphNode_t node = nullptr;
    ASSERT_CUDA(cudaGraphAddMemsetNode(&node, graph, last ? &last : nullptr,
                                       last ? 1 : 0, &params));
    last = node;
  }

  std::vector<unsigned char> run() {
    cudaGraphExec_t executable = nullptr;
    std::vector<unsigned char> host(bytes);
    EXPECT_EQ(cudaMemsetAsync(memory, 0xee, bytes, stream), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(host.data(), memory, bytes,
                              cudaMemcpyDeviceToHost, stream),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    return host;
  }

  char *memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t last = nullptr;
};

} // namespace

TEST_F(GraphMemsetsTest, KernelsWriteTheSameBytes) {
  // Later ones write over earlier ones, so that their order counts.
  const Memset memsets[] = {
      {0, 0, 40000, 1, 1, 0x5a},         {3, 0, 1, 1, 1, 0x11},
      {5, 0, 300, 1, 1, 0x22},           {1002, 0, 33, 1, 2, 0xbeef},
      {2004, 0, 77, 1, 4, 0xdeadbeef},   {4096, 100, 60, 20, 1, 0x33},
      {8192, 64, 16, 40, 4, 0x01020304}, {16388, 4096, 4096, 3, 1, 0x44},
      {20000, 0, 5000, 1, 2, 0}};
  std::vector<unsigned char> expected(bytes, 0xee);
  for (const Memset &memset : memsets) {
    add(memset);
    for (size_t row = 0; row < memset.height; ++row)
      for (size_t i = 0; i < memset.width; ++i)
        std::memcpy(&expected[memset.offset + row * memset.pitch +
                              i * memset.elementSize],
                    &memset.value, memset.elementSize);
  }
  replaceMemsets(graph);
  size_t count = 0;
  ASSERT_CUDA(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  ASSERT_CUDA(cudaGraphGetNodes(graph, nodes.data(), &count));
  EXPECT_EQ(count, std::size(memsets));
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    ASSERT_CUDA(cudaGraphNodeGetType(node, &type));
    EXPECT_EQ(type, cudaGraphNodeTypeKernel);
  }
  EXPECT_EQ(run(), expected);
}
