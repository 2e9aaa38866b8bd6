// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Scratch.h"

#include "HasGpu.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

using namespace tert::cuda;

namespace {

constexpr int64_t mebibyte = int64_t(1) << 20;

class ScratchTest : public testing::Test {
protected:
  void SetUp() override {
    if (!tert_test::hasGpu())
      GTEST_SKIP() << "no GPU";
  }

  size_t mebibytes() const { return scratch.bytes() / mebibyte; }

  Scratch scratch;
};

TEST_F(ScratchTest, LargerMemoryReplacesSmaller) {
  scratch.take(16 * mebibyte);
  scratch.reset();
  scratch.take(32 * mebibyte);
  EXPECT_EQ(mebibytes(), 32u);
  scratch.reset();
  scratch.take(16 * mebibyte);
  EXPECT_EQ(mebibytes(), 32u);
}

/// Pieces that one op has side by side are not taken from it.
TEST_F(ScratchTest, OpKeepsWhatItHas) {
  char *first = scratch.take(8 * mebibyte);
  char *second = scratch.take(16 * mebibyte);
  EXPECT_TRUE(second + 16 * mebibyte <= first ||
              first + 8 * mebibyte <= second);
  EXPECT_EQ(mebibytes(), 24u);
  EXPECT_EQ(cudaMemset(first, 0, 8 * mebibyte), cudaSuccess);
  EXPECT_EQ(cudaMemset(second, 0, 16 * mebibyte), cudaSuccess);
}

/// Two pieces that gave way to one fit into it while a graph is captured,
/// though the request that replaced them was smaller than both.
TEST_F(ScratchTest, OneChunkServesWhatSeveralDid) {
  auto takeBoth = [&] {
    scratch.reset();
    scratch.take(20 * mebibyte);
    scratch.take(16 * mebibyte);
  };
  takeBoth();
  scratch.reset();
  scratch.take(30 * mebibyte);
  EXPECT_EQ(mebibytes(), 36u);
  scratch.setCapturing(true);
  EXPECT_NO_THROW(takeBoth());
}

/// A graph replays with the addresses that it was captured with.
TEST_F(ScratchTest, KeepsWhatAGraphMayUse) {
  char *captured = scratch.take(16 * mebibyte);
  scratch.setCapturing(true);
  scratch.setCapturing(false);
  scratch.reset();
  scratch.take(32 * mebibyte);
  EXPECT_EQ(mebibytes(), 48u);
  EXPECT_EQ(cudaMemset(captured, 0, 16 * mebibyte), cudaSuccess);
  scratch.reset();
  EXPECT_EQ(scratch.take(16 * mebibyte), captured);
  scratch.reset();
  scratch.take(64 * mebibyte);
  EXPECT_EQ(mebibytes(), 80u);
}

} // namespace
