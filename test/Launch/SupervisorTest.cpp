// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Supervisor.h"

#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tert::launch;

namespace {
/// Runs `body` in forked ranks.
Forked forked(int32_t count,
              const std::function<int(const Placement &)> &body) {
  Expected<Forked> result = forkRanks(count);
  EXPECT_TRUE(result) << result.takeError().message();
  if (result->place)
    ::_exit(body(*result->place));
  return std::move(*result);
}
} // namespace

TEST(Supervisor, WaitsForAll) {
  Forked result = forked(3, [](const Placement &place) {
    return place.size == 3 && place.localRank == place.rank &&
                   place.secret.size() == 32
               ? 0
               : 9;
  });
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.failure, "");
}

TEST(Supervisor, NamesTheRankThatDied) {
  Forked result = forked(3, [](const Placement &place) {
    if (place.rank == 1)
      ::raise(SIGKILL);
    ::usleep(300000);
    return 1; // As those do that notice.
  });
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_TRUE(result.diedOfSignal);
  EXPECT_NE(result.failure.find("rank 1 (pid "), std::string::npos);
  EXPECT_NE(result.failure.find("signal 9"), std::string::npos);
}

TEST(Supervisor, PassesTheCodeOn) {
  Forked result =
      forked(2, [](const Placement &place) { return place.rank == 1 ? 3 : 0; });
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_FALSE(result.diedOfSignal);
}

TEST(Supervisor, RelaysWholeLinesWithTheRank) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  forked(3, [](const Placement &place) {
    if (place.rank > 0) {
      std::printf("not for the terminal\n");
      std::fflush(stdout);
      std::fprintf(stderr, "one\nand ");
      std::fflush(stderr);
      ::usleep(20000);
      std::fprintf(stderr, "two of %d\nno end", place.rank);
      std::fflush(stderr);
    }
    return 0;
  });
  std::string error = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  for (const char *line :
       {"[rank 1] one\n", "[rank 1] and two of 1\n", "[rank 1] no end\n",
        "[rank 2] one\n", "[rank 2] and two of 2\n", "[rank 2] no end\n"})
    EXPECT_NE(error.find(line), std::string::npos) << error;
}

/// Also those that do not listen: here one that is stopped.
TEST(Supervisor, EndsThoseThatStay) {
  Forked result = forked(2, [](const Placement &place) {
    if (place.rank == 0)
      return 7;
    ::raise(SIGSTOP);
    return 0;
  });
  EXPECT_EQ(result.exitCode, 7);
}

TEST(Supervisor, ForwardsASignalOnce) {
  pid_t supervisor = ::getpid();
  Forked result = forked(2, [supervisor](const Placement &place) {
    static std::atomic<int> count{0};
    std::signal(SIGTERM, [](int) { ++count; });
    ::usleep(200000); // Until the other listens, too.
    if (place.rank == 0) {
      ::kill(supervisor, SIGTERM);
      ::kill(supervisor, SIGTERM);
    }
    for (int i = 0; i < 500 && count == 0; ++i)
      ::usleep(10000);
    ::usleep(100000);
    return count == 1 ? 0 : 5;
  });
  EXPECT_EQ(result.exitCode, 0) << result.failure;
}
