// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run train on two GPUs, or of two ranks on the only one, of which one rank
// is killed or stopped: the other ends with its name, and what they leave is
// continued to the bits of a run that nobody disturbed. Connections of others
// disturb nothing.

#include "../../Launch/PortScan.h"
#include "OpenGpu.h"
#include "RankRuns.h"
#include "StepPrograms.h"

using namespace test;

namespace {
struct Case {
  const char *program, *target;
  int steps, every;

  friend void PrintTo(const Case &params, std::ostream *out) {
    *out << params.program << " on " << params.target;
  }
};

class DisturbedRanksTest : public ::testing::TestWithParam<Case>,
                           protected RankRuns {
protected:
  DisturbedRanksTest() : RankRuns(teRunPath()) {
    Case params = GetParam();
    std::string devices = "2";
    if (params.target != std::string("cpu") && !canOpen("cuda:1")) {
      isMissing = !canOpen("cuda:0");
      devices = "0,0"; // They take turns of milliseconds.
      params.steps /= 10;
      params.every /= 10;
    }
    every = params.every;
    kept = {programPath(params.program, params.target),
            params.steps,
            {"--devices", devices, "--lr", "1e-3", "--every",
             std::to_string(every)}};
  }

  void SetUp() override {
    if (isMissing)
      GTEST_SKIP() << "there is no GPU that this runtime runs on";
  }

  /// Starts a run, sends a signal to a rank once some steps are done, expects
  /// that all end within a minute with the rank's name, and continues it.
  void disturb(int signal, size_t victim, const std::string &run,
               const Whole &whole) {
    Tool tool(program, keptCommand(kept, run));
    ASSERT_TRUE(tool.waitFor(
        [&] { return losses(run + ".log").size() >= size_t(every) + 3; }));
    const std::vector<pid_t> pids = ranksOf(tool.pid());
    ASSERT_EQ(pids.size(), 2u) << "the run ended before it was disturbed";
    ::kill(pids[victim], signal);
    const auto began = Clock::now();
    Result result = tool.wait();
    const double seconds =
        std::chrono::duration<double>(Clock::now() - began).count();
    std::printf("rank %zu got signal %d: all had ended after %.1f s, at step "
                "%zu of %d\n%s",
                victim, signal, seconds, losses(run + ".log").size(),
                kept.steps, result.error.c_str());
    // Processes that fork later would print it again.
    std::fflush(stdout);
    EXPECT_LT(seconds, 60);
    EXPECT_EQ(result.code, 1);
    const std::string name = "rank " + std::to_string(victim) + " (pid " +
                             std::to_string(pids[victim]);
    // The supervisor says so, and so does the other rank.
    if (signal == SIGKILL)
      EXPECT_CONTAINS(result.error, name + ") was killed by signal 9");
    // It is rank 0 that knows the other's number of a process.
    EXPECT_CONTAINS(result.error,
                    "rank " + std::to_string(1 - victim) + " of 2 ends: " +
                        (victim == 0 ? "the connection to rank 0" : name));
    for (pid_t pid : pids)
      EXPECT_NE(::kill(pid, 0), 0) << "a rank has outlived the job";
    ASSERT_TRUE(bitsOf(run, kept.steps).empty());
    Result resumed = Tool(program, keptCommand(kept, run)).wait();
    ASSERT_EQ(resumed.code, 0) << resumed.error;
    EXPECT_CONTAINS(resumed.out, "continuing from step ");
    expectWhole(kept, run, whole);
  }

  Kept kept;
  int every = 0; ///< steps between checkpoints
  bool isMissing = false;
};
} // namespace

TEST_P(DisturbedRanksTest, AKilledRankEndsTheOther) {
  const Whole whole = runWhole(kept);
  ASSERT_FALSE(HasFailure());
  for (size_t victim : {1, 0})
    disturb(SIGKILL, victim, "killed" + std::to_string(victim), whole);
}

TEST_P(DisturbedRanksTest, AStoppedRankEndsTheOther) {
  const Whole whole = runWhole(kept);
  ASSERT_FALSE(HasFailure());
  kept.flags.insert(kept.flags.end(), {"--timeout", "5"});
  disturb(SIGSTOP, 1, "stopped", whole);
}

TEST_P(DisturbedRanksTest, AnyRankMayBeKilledAtAnyMoment) {
  killAtRandom(kept, /*ranks=*/2, /*times=*/4);
}

/// Somebody tries all ports while ranks and their GPUs connect, and while they
/// train.
TEST_P(DisturbedRanksTest, APortScanEndsNoJob) {
  kept.steps = every;
  const Whole whole = runWhole(kept);
  ASSERT_FALSE(HasFailure());
  int connections = 0;
  // How many there are depends on how long the ranks listen.
  for (int job = 0; job < 2 || (job < 10 && connections == 0); ++job) {
    const std::string run = "scanned" + std::to_string(job);
    Tool tool(program, keptCommand(kept, run));
    PortScan scan(tool.pid());
    Result result = tool.wait();
    ASSERT_EQ(result.code, 0) << result.error;
    EXPECT_LACKS(result.error, "error");
    expectWhole(kept, run, whole);
    connections += scan.connections();
  }
  EXPECT_GT(connections, 0);
  std::printf("%d connections of others\n", connections);
}

// Exchanges through memory that is shown, and ones so large that GPUs read each
// other's tensors.
INSTANTIATE_TEST_SUITE_P(
    Models, DisturbedRanksTest,
    testing::Values(Case{"gpt2_ranks_fp8", "sm_90", 4000, 500},
                    Case{"bytes_ranks_bf16", "sm_90", 2000, 250}),
    [](const auto &info) { return std::string(info.param.program); });
