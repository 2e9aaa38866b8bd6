// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/RankMonitor.h"

#include <gtest/gtest.h>

using namespace tert::launch;
using namespace std::chrono_literals;

namespace {
class RankMonitorTest : public ::testing::Test {
protected:
  /// All ranks have come, and are in step 12.
  void joinAll() {
    for (int32_t rank = 0; rank < 4; ++rank) {
      monitor.join(rank, {100u + static_cast<uint64_t>(rank), "node"}, start);
      monitor.recordHeartbeat(rank, Phase::Step, 12, 0ms, start);
    }
  }
  void hearAll(Clock::time_point now) {
    for (int32_t rank = 0; rank < 4; ++rank)
      if (!monitor.hasLeft(rank))
        monitor.recordHeartbeat(rank, Phase::Step, 12, 0ms, now);
  }
  std::string findJobEnd(Clock::duration after, int32_t rank) {
    std::optional<JobEnd> verdict = monitor.findJobEnd(start + after);
    EXPECT_TRUE(verdict.has_value());
    if (!verdict)
      return {};
    EXPECT_EQ(verdict->rank, rank) << verdict->reason;
    return verdict->reason;
  }
  void expectAll(const std::string &text, std::vector<std::string> parts) {
    for (const std::string &part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  }

  Clock::time_point start = Clock::now();
  RankMonitor monitor{4, 60s, start};
};
} // namespace

TEST_F(RankMonitorTest, AJobThatLivesGoesOn) {
  joinAll();
  EXPECT_FALSE(monitor.findJobEnd(start + 59s));
  hearAll(start + 59s);
  EXPECT_FALSE(monitor.findJobEnd(start + 118s));
}

TEST_F(RankMonitorTest, WhoVanishedIsToBlameThoughOthersSpokeFirst) {
  joinAll();
  monitor.fail(3, "tcp: connection reset", start + 1s, /*inCollective=*/true);
  monitor.lose(2, start + 1s + 50ms);
  EXPECT_FALSE(monitor.findJobEnd(start + 1s + 100ms));
  expectAll(findJobEnd(1s + RankMonitor::settlingTime, 2),
            {"rank 2 (pid 102 on node)", "in step 12", "killed"});
}

TEST_F(RankMonitorTest, WhoFailedIsQuoted) {
  joinAll();
  monitor.fail(1, "token 999 is outside", start + 2s);
  monitor.fail(3, "later", start + 2s + 1ms);
  // It ends after its message.
  monitor.lose(1, start + 2s + 10ms);
  expectAll(findJobEnd(3s, 1), {"rank 1 (pid 101", "token 999 is outside"});
}

TEST_F(RankMonitorTest, ItsOwnFailureWeighsMoreThanComplaints) {
  joinAll();
  monitor.fail(0, "rank 1 is late", start + 1s, /*inCollective=*/true);
  monitor.fail(1, "out of memory", start + 1s + 100ms);
  expectAll(findJobEnd(1s + RankMonitor::settlingTime, 1),
            {"rank 1 (", "out of memory"});
}

TEST_F(RankMonitorTest, WhoDoesNotComplainIsNamed) {
  joinAll();
  for (int32_t rank : {0, 1, 3})
    monitor.fail(rank, "waited for 60 s", start + 1s + 100ms * rank,
                 /*inCollective=*/true);
  EXPECT_FALSE(monitor.findJobEnd(start + 3s));
  std::string reason = findJobEnd(1s + RankMonitor::collectiveSettlingTime, 0);
  expectAll(reason, {"rank 0 (pid 100 on node) failed: waited for 60 s",
                     "rank 2 (pid 102 on node) does not complain",
                     "in step 12, for 4 s"});
  EXPECT_EQ(reason.find("rank 3"), std::string::npos) << reason;
}

TEST_F(RankMonitorTest, WhoLeftIsNotMissed) {
  joinAll();
  for (int32_t rank = 0; rank < 4; ++rank) {
    monitor.leave(rank);
    monitor.lose(rank, start + 1s);
  }
  EXPECT_FALSE(monitor.findJobEnd(start + 1000s));
}

TEST_F(RankMonitorTest, SilenceIsNoticed) {
  joinAll();
  hearAll(start + 30s);
  monitor.join(2, {102, "node"}, start);
  EXPECT_FALSE(monitor.findJobEnd(start + 60s));
  expectAll(findJobEnd(61s, 2),
            {"rank 2", "not been heard of for 61 s", "stopped"});
  // After a pause of the coordinator's own process nobody is to blame.
  monitor.resetSilence(start + 61s);
  EXPECT_FALSE(monitor.findJobEnd(start + 62s));
}

TEST_F(RankMonitorTest, WhoDidNotComeIsListed) {
  monitor.join(0, {100, "node"}, start);
  monitor.join(2, {102, "node"}, start);
  EXPECT_FALSE(monitor.findJobEnd(start + 60s));
  monitor.recordHeartbeat(0, Phase::Joining, 0, 0ms, start + 61s);
  monitor.recordHeartbeat(2, Phase::Joining, 0, 0ms, start + 61s);
  expectAll(findJobEnd(61s, 1), {"2 of 4 ranks did not come", "1, 3"});
}

TEST_F(RankMonitorTest, WhoKeepsTheOthersWaitingForItsDataIsNamed) {
  joinAll();
  hearAll(start + 50s);
  monitor.recordHeartbeat(1, Phase::Data, 13, 5s, start + 50s);
  monitor.recordHeartbeat(0, Phase::Step, 13, 0ms, start + 51s);
  for (int32_t rank = 0; rank < 4; ++rank)
    monitor.recordHeartbeat(rank, rank == 1 ? Phase::Data : Phase::Step, 13,
                            rank == 1 ? 65s : 64s, start + 110s);
  expectAll(findJobEnd(111s, 1),
            {"rank 1", "reading the data of step 13 for 66 s",
             "rank 0 waits for it in step 13"});
  // A long evaluation or a long step of all is none's fault.
  hearAll(start + 110s);
  for (int32_t rank = 0; rank < 4; ++rank)
    monitor.recordHeartbeat(rank, Phase::Step, 13, 100s, start + 110s);
  EXPECT_FALSE(monitor.findJobEnd(start + 111s));
  monitor.recordHeartbeat(0, Phase::Evaluating, 13, 100s, start + 110s);
  EXPECT_FALSE(monitor.findJobEnd(start + 111s));
}
