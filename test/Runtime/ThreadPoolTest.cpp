// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Execution.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cstring>
#include <stdexcept>

using namespace tert::cpu;

TEST(ThreadPoolTest, EveryTaskOnce) {
  for (int numThreads : {1, 2, 5}) {
    ThreadPool pool(numThreads);
    EXPECT_EQ(pool.getNumThreads(), numThreads);
    for (int64_t numTasks : {0, 1, 2, 3, 7, 100, 1000}) {
      std::vector<std::atomic<int>> seen(numTasks);
      pool.parallelFor(numTasks, [&](int64_t task, int worker) {
        EXPECT_GE(worker, 0);
        EXPECT_LT(worker, numThreads);
        ++seen[task];
      });
      for (const std::atomic<int> &count : seen)
        EXPECT_EQ(count, 1);
    }
  }
}

TEST(ThreadPoolTest, ManyShortLoops) {
  // A worker that is late for one loop must not touch the next one's tasks.
  ThreadPool pool(3);
  for (int64_t loop = 0; loop < 20000; ++loop) {
    std::atomic<int64_t> sum{0};
    int64_t numTasks = 2 + loop % 5;
    pool.parallelFor(numTasks,
                     [&](int64_t task, int) { sum += loop * 8 + task; });
    ASSERT_EQ(sum, numTasks * loop * 8 + numTasks * (numTasks - 1) / 2);
  }
}

TEST(ThreadPoolTest, WorkersWakeUpAgain) {
  ThreadPool pool(3);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> count{0};
    pool.parallelFor(50, [&](int64_t, int) { ++count; });
    ASSERT_EQ(count, 50);
  }
}

TEST(ThreadPoolTest, CallerSleepsForALongTask) {
  ThreadPool pool(2);
  std::atomic<int> count{0};
  pool.parallelFor(2, [&](int64_t, int) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ++count;
  });
  EXPECT_EQ(count, 2);
}

TEST(ThreadPoolTest, ExceptionsReachTheCaller) {
  ThreadPool pool(3);
  for (int64_t bad : {0, 13, 99}) {
    std::atomic<int> count{0};
    EXPECT_THROW(pool.parallelFor(100,
                                  [&](int64_t task, int) {
                                    ++count;
                                    if (task == bad)
                                      throw std::runtime_error("bad");
                                  }),
                 std::runtime_error);
    EXPECT_EQ(count, 100);
    // The pool works on.
    count = 0;
    pool.parallelFor(10, [&](int64_t, int) { ++count; });
    EXPECT_EQ(count, 10);
  }
}

TEST(ScratchTest, FramesNestAndMemoryIsReused) {
  Scratch scratch;
  void *first = nullptr;
  for (int round = 0; round < 3; ++round) {
    Scratch::Frame outer(scratch);
    char *a = outer.take<char>(1000);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 256, 0u);
    std::memset(a, 1, 1000);
    char *big;
    {
      Scratch::Frame inner(scratch);
      big = inner.take<char>(5 << 20); // more than the first chunk holds
      std::memset(big, 2, 5 << 20);
    }
    {
      Scratch::Frame inner(scratch);
      EXPECT_EQ(inner.take<char>(5 << 20), big);
    }
    EXPECT_EQ(a[0], 1);
    EXPECT_EQ(a[999], 1);
    if (round == 1)
      first = a; // chunks were joined after round 0
    if (round == 2)
      EXPECT_EQ(a, first);
  }
}
