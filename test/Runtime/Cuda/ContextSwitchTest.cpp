// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/ContextSwitch.h"

#include "cuda/Driver.h"

#include "HasGpu.h"

#include <gtest/gtest.h>
#include <vector>

using namespace tert::cuda;

namespace {

constexpr size_t bytes = 1 << 16;

class ContextSwitchTest : public testing::Test {
protected:
  void SetUp() override {
    if (!tert_test::hasGpu())
      GTEST_SKIP() << "no GPU";
    ASSERT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
    ASSERT_EQ(cudaMemset(memory, 0xa5, bytes), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  void TearDown() override { cudaFree(memory); }

  static CUcontext current() {
    const auto get =
        findDriverFunction<CUresult (*)(CUcontext *)>("cuCtxGetCurrent", 11000);
    CUcontext context = nullptr;
    EXPECT_TRUE(get && get(&context) == CUDA_SUCCESS);
    return context;
  }
  static size_t free() {
    size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    return free;
  }
  /// What was there is there, and the device does what it is asked.
  void expectUnharmed() {
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    std::vector<unsigned char> host(bytes);
    ASSERT_EQ(cudaMemcpy(host.data(), memory, bytes, cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(host, std::vector<unsigned char>(bytes, 0xa5));
    ASSERT_EQ(cudaMemset(memory, 0xa5, bytes), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }

  void *memory = nullptr;
};

} // namespace

TEST_F(ContextSwitchTest, LeavesThisThreadsContextAndNoMemoryBehind) {
  const CUcontext before = current();
  switchContexts(); // what a first one brings along stays
  const size_t freeBefore = free();
  for (int i = 0; i < 3; ++i)
    switchContexts();
  EXPECT_EQ(current(), before);
  EXPECT_EQ(free(), freeBefore);
  expectUnharmed();
}

TEST_F(ContextSwitchTest, ADeviceWithoutMemoryIsLeftAsItIs) {
  const CUcontext before = current();
  constexpr size_t left = size_t(64) << 20;
  void *rest = nullptr;
  ASSERT_GT(free(), left);
  ASSERT_EQ(cudaMalloc(&rest, free() - left), cudaSuccess);
  switchContexts();
  EXPECT_EQ(current(), before);
  expectUnharmed();
  EXPECT_EQ(cudaFree(rest), cudaSuccess);
}
