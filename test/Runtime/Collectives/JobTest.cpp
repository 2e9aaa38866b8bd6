// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that go wrong: ranks that are missing, late, killed, or do something
// else. All others end in bounded time with a message that names rank and op.

#include "RankReference.h"
#include "Ranks.h"

#include "../Launch/PortScan.h"

#include <fstream>

using namespace tert_test;
using Clock = std::chrono::steady_clock;

namespace {

const tert_site site = {"tert.all_reduce", "h.7.mlp.c_fc", 0, 0, 0};

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

tert_status reduce(Rank &rank, int64_t size, int32_t axes = 1) {
  Tensor x(TERT_F32, {size});
  x.fill([](int64_t) { return 1; });
  return tert_collective(rank.context, &site, 0, nullptr, 1, x, TERT_ALL_REDUCE,
                         /*async=*/0, axes);
}

void expectError(const Rank &rank, tert_status status,
                 const std::vector<std::string> &texts) {
  EXPECT_EQ(status, TERT_PEER_ERROR);
  for (const std::string &text : texts)
    EXPECT_NE(rank.error().find(text), std::string::npos)
        << "'" << text << "' is not in: " << rank.error();
}

} // namespace

TEST(JobTest, AKilledRankIsNamedByAllOthers) {
  const auto statuses = runRanks({{4}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    ASSERT_EQ(reduce(rank, 1000), TERT_OK) << rank.error();
    if (rank.rank == 2)
      raise(SIGKILL);
    const auto begin = Clock::now();
    expectError(rank, reduce(rank, 1 << 20),
                {"tert.all_reduce at h.7.mlp.c_fc: rank " +
                     std::to_string(rank.rank) + " has lost rank ",
                 "rank 2", "along axis 0 of the mesh"});
    EXPECT_LT(secondsSince(begin), 10);
    // And so it stays.
    expectError(rank, reduce(rank, 10), {"has lost rank", "rank 2"});
    char message[256] = "";
    EXPECT_EQ(tert_check_job(rank.context, message, sizeof(message)),
              TERT_PEER_ERROR);
    EXPECT_NE(std::string(message).find("has lost"), std::string::npos)
        << message;
    // The others may not have noticed yet; a rank that ends takes its
    // connections along.
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  });
  EXPECT_TRUE(WIFSIGNALED(statuses[2]));
}

TEST(JobTest, ARankKilledBetweenCollectivesEndsNobodyElse) {
  // Its connections break while nobody looks at them, and the next write to
  // them is a broken pipe.
  const auto statuses = runRanks({{2}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    ASSERT_EQ(reduce(rank, 10), TERT_OK) << rank.error();
    if (rank.rank == 1)
      raise(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    expectError(rank, reduce(rank, 10), {"rank 0 has lost rank 1"});
  });
  EXPECT_TRUE(WIFSIGNALED(statuses[1]));
}

TEST(JobTest, ARankMayBeKilledAtAnyMoment) {
  // While ranks meet, while they are connected, within a collective and between
  // two: wherever these times fall.
  for (int microseconds : {0, 1000, 5000, 15000, 40000, 80000}) {
    SCOPED_TRACE(testing::Message() << "killed after " << microseconds);
    JobOptions options = {{3}};
    options.timeoutSeconds = 1;
    options.change = [&](int32_t rank, tert_job &) {
      if (rank == 1)
        std::thread([=] {
          std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
          kill(getpid(), SIGKILL);
        }).detach();
    };
    const auto statuses = runRanks(options, [](Rank &rank) {
      const auto begin = Clock::now();
      tert_status status = rank.joined;
      for (int64_t i = 0; status == TERT_OK; ++i)
        status = reduce(rank, i % 3 ? 100 : 200000);
      expectError(rank, status, {"rank "});
      EXPECT_LT(secondsSince(begin), 10);
    });
    EXPECT_TRUE(WIFSIGNALED(statuses[1]));
  }
}

TEST(JobTest, ALateRankIsNamedWhenTheTimeIsOver) {
  JobOptions options = {{3}};
  options.timeoutSeconds = 2;
  runRanks(options, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    ASSERT_EQ(reduce(rank, 10), TERT_OK) << rank.error();
    if (rank.rank == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3500));
      EXPECT_EQ(reduce(rank, 10), TERT_PEER_ERROR);
      return;
    }
    const auto begin = Clock::now();
    const tert_status status = reduce(rank, 10);
    EXPECT_LT(secondsSince(begin), 5);
    EXPECT_EQ(status, TERT_PEER_ERROR);
    // Whose time is over first closes its connections.
    const std::string own = "rank " + std::to_string(rank.rank);
    const bool waited =
        rank.error().find(own + " has waited for rank 1 along axis 0 of the "
                                "mesh, 2 s") != std::string::npos;
    const bool lost = rank.error().find(own + " has lost") != std::string::npos;
    EXPECT_TRUE(waited || lost) << rank.error();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  });
}

TEST(JobTest, RanksThatDoSomethingElseSaySo) {
  runRanks({{2}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    ASSERT_EQ(reduce(rank, 10), TERT_OK) << rank.error();
    if (rank.rank == 0) {
      expectError(
          rank, reduce(rank, 10),
          {"rank 0 is in tert.all_reduce at h.7.mlp.c_fc of 40 bytes, "
           "collective number 1, but rank 1 in tert.all_gather at h.8 of 12 "
           "bytes, collective number 1, along axis 0 of the mesh: all ranks "
           "must "
           "run the same program"});
    } else {
      const tert_site other = {"tert.all_gather", "h.8", 1, 0, 0};
      Tensor x(TERT_F32, {3}), y(TERT_F32, {6});
      expectError(rank,
                  tert_collective(rank.context, &other, 1, x, 1, y,
                                  TERT_ALL_GATHER, /*async=*/0, 1),
                  {"rank 1 is in tert.all_gather at h.8", "but rank 0 in"});
    }
  });
  // The same op with other sizes, whose bytes are the same in all.
  runRanks({{2}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    std::vector<Tensor> x;
    for (int64_t size : {8, 4})
      x.push_back(Tensor(TERT_F32, {rank.rank ? size : 12 - size}));
    Handles handles(x);
    expectError(rank,
                tert_collective(rank.context, &site, 0, nullptr, 2,
                                handles.data(), TERT_ALL_REDUCE, /*async=*/0,
                                1),
                {"is in tert.all_reduce", "48 bytes"});
  });
}

TEST(JobTest, AnotherThreadEndsACollective) {
  runRanks({{2}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    char message[256] = "x";
    EXPECT_EQ(tert_check_job(rank.context, message, sizeof(message)), TERT_OK);
    EXPECT_STREQ(message, "");
    if (rank.rank == 1) {
      // Neither comes nor goes.
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      return;
    }
    std::thread watchdog([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      EXPECT_EQ(tert_abort_job(rank.context, "rank 1 was seen to die"),
                TERT_OK);
    });
    const auto begin = Clock::now();
    expectError(rank, reduce(rank, 10),
                {"tert.all_reduce at h.7.mlp.c_fc: rank 1 was seen to die"});
    EXPECT_LT(secondsSince(begin), 1.4);
    watchdog.join();
    EXPECT_EQ(tert_abort_job(rank.context, "another reason"), TERT_OK);
    // Whatever comes after it fails alike.
    EXPECT_EQ(tert_synchronize(rank.context), TERT_PEER_ERROR);
    EXPECT_NE(rank.error().find("rank 1 was seen to die"), std::string::npos)
        << rank.error();
    EXPECT_EQ(tert_check_job(rank.context, message, sizeof(message)),
              TERT_PEER_ERROR);
    EXPECT_STREQ(message, "rank 1 was seen to die");
  });
}

TEST(JobTest, AMissingRankIsNamed) {
  JobOptions options = {{3}};
  options.timeoutSeconds = 1;
  options.missing = {1};
  runRanks(options, [](Rank &rank) {
    expectError(rank, rank.joined,
                {"tert_join: rank " + std::to_string(rank.rank) +
                 " waited for rank 1 to join it along axis 0 of the mesh"});
  });
}

TEST(JobTest, RanksAgreeAboutTheMesh) {
  static const int32_t other[] = {1, 2};
  JobOptions options = {{2}};
  options.change = [](int32_t rank, tert_job &job) {
    if (rank == 1) {
      job.num_axes = 2;
      job.sizes = other;
    }
  };
  options.timeoutSeconds = 1;
  // They do not even look for each other under the same keys; the first that
  // both have in common is what they must agree about.
  runRanks(options, [](Rank &rank) {
    expectError(
        rank, rank.joined,
        {rank.rank ? "rank 1 has a mesh of 1 x 2" : "rank 0 has a mesh of 2",
         rank.rank ? "but rank 0 has a mesh of 2"
                   : "but rank 1 has a mesh of 1 x 2"});
  });
}

TEST(JobTest, BadJobsAreRefused) {
  Context context(1);
  FileStore store(1);
  auto refuses = [&](int32_t rank, std::vector<int32_t> sizes,
                     const char *library, const std::string &text,
                     tert_status expected = TERT_INVALID_ARGUMENT) {
    tert_job job = {
        rank, int32_t(sizes.size()), sizes.data(), library, 1, store, nullptr,
        0};
    EXPECT_EQ(tert_join(context, &job), expected);
    EXPECT_NE(context.error().find(text), std::string::npos) << context.error();
  };
  refuses(2, {2}, nullptr, "rank 2 is not one of the 2 ranks of a mesh of 2");
  refuses(-1, {2}, nullptr, "rank -1 is not one of");
  refuses(0, {2, 0}, nullptr, "a mesh of 2 x 0 ranks");
  refuses(0, {65536, 65536}, nullptr, "fewer than 2^31");
  refuses(0, {1}, "../nccl", "'../nccl' is no name of a library");
  EXPECT_EQ(tert_join(context, nullptr), TERT_INVALID_ARGUMENT);
  tert_job job = {0, 0, nullptr, nullptr, -1, store, nullptr, 0};
  EXPECT_EQ(tert_join(context, &job), TERT_INVALID_ARGUMENT);
  job.timeout_seconds = 0;
  job.store = {};
  EXPECT_EQ(tert_join(context, &job), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("store"), std::string::npos);
  job.store = store;
  job.secret_bytes = 3;
  EXPECT_EQ(tert_join(context, &job), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'secret' is null"), std::string::npos);
  job.secret_bytes = 0;
  EXPECT_OK(context, tert_join(context, &job));
  EXPECT_EQ(tert_join(context, &job), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("a rank of a job already"), std::string::npos);
  EXPECT_EQ(tert_check_job(nullptr, nullptr, 0), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_abort_job(context, nullptr), TERT_INVALID_ARGUMENT);
}

TEST(JobTest, AMissingLibraryIsNamed) {
  JobOptions options = {{2}};
  options.change = [](int32_t, tert_job &job) { job.library = "pigeons"; };
  runRanks(options, [](Rank &rank) {
    EXPECT_EQ(rank.joined, TERT_UNSUPPORTED);
    EXPECT_NE(rank.error().find("libtert-pigeons.so"), std::string::npos)
        << rank.error();
  });
}

/// Sockets that this process has open.
static int countSockets() {
  int count = 0;
  std::error_code code;
  for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd"))
    count += std::filesystem::read_symlink(entry.path(), code)
                 .string()
                 .rfind("socket:", 0) == 0;
  return count;
}

TEST(JobTest, ClosingAContextEndsItsConnections) {
  runRanks({{3}}, [](Rank &rank) {
    const int before = countSockets();
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    ASSERT_EQ(reduce(rank, 10), TERT_OK) << rank.error();
    tert_close(rank.context);
    rank.context = nullptr;
    // One to each of the others, and nobody listens any more.
    EXPECT_EQ(countSockets(), before - 2);
  });
}

TEST(JobTest, APortScanEndsNothing) {
  test::PortScan scan(getpid());
  JobOptions options = {{2, 2}};
  // The others listen until the last rank has come.
  options.change = [](int32_t rank, tert_job &) {
    if (rank == 3)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  // A busy machine may not run the scan at all while they do.
  for (int round = 0; round < 6 || (round < 100 && scan.connections() == 0);
       ++round)
    runRanks(options, [](Rank &rank) {
      ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
      for (int i = 0; i < 20; ++i)
        for (int32_t axes : {1, 2, 3})
          ASSERT_EQ(reduce(rank, 20000, axes), TERT_OK) << rank.error();
    });
  EXPECT_GT(scan.connections(), 0);
}

/// A rank that does not know the secret stays outside, and is missed.
TEST(JobTest, ARankWithAnotherSecretIsNone) {
  JobOptions options = {{2}};
  options.timeoutSeconds = 2;
  static const char secrets[2][17] = {"sixteen bytes ..", "sixteen bytes .x"};
  options.change = [](int32_t rank, tert_job &job) {
    job.secret = secrets[rank];
    job.secret_bytes = 16;
  };
  runRanks(options, [](Rank &rank) {
    expectError(rank, rank.joined,
                {rank.rank ? "another secret" : "rank 1 does not connect"});
  });
  options.change = [](int32_t, tert_job &job) {
    job.secret = secrets[0];
    job.secret_bytes = 16;
  };
  runRanks(options, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    EXPECT_EQ(reduce(rank, 10), TERT_OK) << rank.error();
  });
}
