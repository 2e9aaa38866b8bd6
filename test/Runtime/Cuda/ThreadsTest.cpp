// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts used from threads that did not open them, and beside each other.

#include "Gpu.h"

#include <thread>

using namespace tert_test;

namespace {

/// y = x + x on a context's device, read back.
Tensor twice(tert_context *gpu, const Tensor &x) {
  Tensor y(TERT_F32, {1000});
  OnGpu deviceX(gpu, x), deviceY(gpu, y);
  EXPECT_EQ(tert_add(gpu, nullptr, deviceX, deviceX, deviceY), TERT_OK)
      << tert_last_error(gpu);
  return deviceY.read();
}

void expectTwice(const Tensor &x, const Tensor &y) {
  for (int64_t i = 0; i < x.numElements(); ++i)
    ASSERT_EQ(y.at(i), 2 * x.at(i)) << i;
}

struct ThreadsTest : GpuTest {
  ThreadsTest() {
    for (int64_t i = 0; i < x.numElements(); ++i)
      x.set(i, std::sin(double(i)));
  }
  Tensor x{TERT_F32, {1000}};
};

} // namespace

TEST_F(ThreadsTest, AnyThreadMayCall) {
  Tensor y(TERT_F32, {1000});
  std::thread([&] { y = twice(gpu, x); }).join();
  expectTwice(x, y);
}

TEST_F(ThreadsTest, TwoGpusInOneThread) {
  tert_context *other = nullptr;
  char message[1024] = "";
  if (tert_open("cuda:1", nullptr, &other, message, sizeof(message)) != TERT_OK)
    GTEST_SKIP() << message;
  // By turns, the first opened last.
  for (int turn = 0; turn < 2; ++turn) {
    expectTwice(x, twice(gpu, x));
    expectTwice(x, twice(other, x));
  }
  tert_close(other);
  expectTwice(x, twice(gpu, x));
}
