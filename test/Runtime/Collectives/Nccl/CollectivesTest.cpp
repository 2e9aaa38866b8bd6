// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exchanges among GPUs of this machine do to one another, and where they
// fail.

#include "DeviceList.h"
#include "GpuRanks.h"
#include "RankReference.h"

#include "tert/graph.h"

using namespace tert_test;
using Clock = std::chrono::steady_clock;

using CudaCollectivesTest = GpuRanksTest;

namespace {
/// Scalars of a rank on its GPU, and the entry that reduces them.
struct ScalarReduction {
  static constexpr int32_t numMaxima = 200, numSums = 3;

  ScalarReduction(Rank &rank)
      : rank(rank), maxima(rank.context, all(numMaxima, amaxOf)),
        sums(rank.context, all(numSums, addendOf)), max(rank.context, hostMax),
        sum(rank.context, hostSum) {}

  /// Tensors on the GPU point to the layouts of those on the host.
  const std::vector<Tensor> &all(int32_t count,
                                 float (*value)(int32_t, int32_t)) {
    kept.emplace_back();
    for (int32_t i = 0; i < count; ++i)
      kept.back().push_back(Tensor::scalar(value(rank.rank, i)));
    return kept.back();
  }

  tert_status run() {
    static const tert_site site = {"tert.reduce_scalars", "step", 3, 0, 0};
    return tert_reduce_scalars(rank.context, &site, numMaxima, maxima.data(),
                               numSums, sums.data(), max, sum, 1);
  }
  static tert_status entry(tert_context *, void *const *buffers) {
    return static_cast<ScalarReduction *>(buffers[0])->run();
  }
  void expectResult(const std::vector<int32_t> &members) {
    expectScalars(members, max.read(), sum.read());
  }

  Rank &rank;
  std::list<std::vector<Tensor>> kept;
  Tensor hostMax{TERT_F32, {numMaxima}}, hostSum{TERT_F32, {numSums}};
  DeviceList maxima, sums;
  OnGpu max, sum;
};
} // namespace

TEST_F(CudaCollectivesTest, ScalarsInAGraph) {
  const std::vector<int32_t> members = membersOf(options.mesh, 0, 1);
  runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    ScalarReduction exchange(rank);
    ASSERT_EQ(exchange.run(), TERT_OK) << rank.error();
    exchange.expectResult(members);

    void *buffers[] = {&exchange};
    tert_graph *graph = nullptr;
    ASSERT_EQ(tert_graph_capture(rank.context, &ScalarReduction::entry, buffers,
                                 &graph),
              TERT_OK)
        << rank.error();
    constexpr int runs = 1000;
    tert_timer *timer = nullptr;
    ASSERT_EQ(tert_timer_create(rank.context, &timer), TERT_OK);
    for (int i = 0; i < 10; ++i)
      ASSERT_EQ(tert_graph_launch(graph), TERT_OK) << rank.error();
    ASSERT_EQ(tert_timer_mark(timer), TERT_OK);
    for (int i = 0; i < runs; ++i)
      ASSERT_EQ(tert_graph_launch(graph), TERT_OK) << rank.error();
    ASSERT_EQ(tert_timer_mark(timer), TERT_OK);
    double seconds = 0;
    size_t count = 0;
    ASSERT_EQ(tert_timer_read(timer, &seconds, 1, &count), TERT_OK);
    if (rank.rank == 0)
      std::printf("exchange of 203 scalars among %zu GPUs: %.1f us a replay\n",
                  members.size(), seconds / runs * 1e6);
    exchange.expectResult(members);
    tert_timer_release(timer);
    tert_graph_release(graph);
  });
}

TEST_F(CudaCollectivesTest, CollectivesInAGraphKeepTheirOrder) {
  const int32_t ranks = options.mesh[0];
  struct Step {
    Rank &rank;
    DeviceList &x;
    static tert_status entry(tert_context *context, void *const *buffers) {
      Step &step = *static_cast<Step *>(buffers[0]);
      // x becomes R x, and then R * R x.
      for (int i = 0; i < 2; ++i)
        if (tert_status status =
                tert_collective(context, nullptr, 0, nullptr, step.x.count(),
                                step.x.data(), TERT_ALL_REDUCE, /*async=*/0, 1))
          return status;
      return TERT_OK;
    }
  };
  runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    std::vector<Tensor> ones = {Tensor(TERT_F32, {1000}),
                                Tensor(TERT_F32, {1 << 18})};
    for (Tensor &tensor : ones)
      tensor.fill([&](int64_t i) { return double(i % 7); });
    DeviceList x(rank.context, ones);
    Step step = {rank, x};
    void *buffers[] = {&step};
    ASSERT_EQ(Step::entry(rank.context, buffers), TERT_OK) << rank.error();
    tert_graph *graph = nullptr;
    ASSERT_EQ(tert_graph_capture(rank.context, &Step::entry, buffers, &graph),
              TERT_OK)
        << rank.error();
    for (int i = 0; i < 2; ++i)
      ASSERT_EQ(tert_graph_launch(graph), TERT_OK) << rank.error();
    const double factor = std::pow(double(ranks), 6);
    for (const Tensor &tensor : x.read())
      for (int64_t i = 0; i < tensor.numElements(); ++i)
        ASSERT_EQ(tensor.at(i), double(i % 7) * factor) << i;
    tert_graph_release(graph);
  });
}

namespace {
/// A step whose collectives run beside what it computes: x and y become sums
/// over the ranks, z is exchanged meanwhile, and w = x + y.
struct OverlappingStep {
  DeviceList &tensors; ///< x, y, z, w

  static tert_status entry(tert_context *context, void *const *buffers) {
    DeviceList &t = static_cast<OverlappingStep *>(buffers[0])->tensors;
    auto fill = [&](size_t k, double value) {
      return tert_fill(context, nullptr, &t[k], value);
    };
    tert_status status = fill(0, 1);
    if (status == TERT_OK)
      status = tert_collective(context, nullptr, 0, nullptr, 1, &t[0],
                               TERT_ALL_REDUCE, /*async=*/1, 1);
    if (status == TERT_OK)
      status = fill(1, 2);
    if (status == TERT_OK)
      status = tert_collective(context, nullptr, 0, nullptr, 1, &t[1],
                               TERT_ALL_REDUCE, /*async=*/1, 1);
    if (status == TERT_OK)
      status = fill(2, 3);
    if (status == TERT_OK)
      status = tert_collective(context, nullptr, 0, nullptr, 1, &t[2],
                               TERT_ALL_REDUCE, /*async=*/0, 1);
    if (status == TERT_OK)
      status = fill(3, -1);
    if (status == TERT_OK)
      status = tert_await(context, nullptr, 2, t.data());
    if (status == TERT_OK)
      status = tert_add(context, nullptr, &t[0], &t[1], &t[3]);
    return status;
  }
};
} // namespace

TEST_F(CudaCollectivesTest, CollectivesRunBesideTheComputation) {
  const double ranks = options.mesh[0];
  runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    const std::vector<Tensor> host(4, Tensor(TERT_F32, {1 << 22}));
    DeviceList tensors(rank.context, host);
    OverlappingStep step = {tensors};
    void *buffers[] = {&step};
    auto expectResult = [&] {
      const std::vector<Tensor> actual = tensors.read();
      const double expected[] = {ranks, 2 * ranks, 3 * ranks, 3 * ranks};
      for (size_t k = 0; k < 4; ++k)
        for (int64_t i = 0; i < actual[k].numElements(); ++i)
          ASSERT_EQ(actual[k].at(i), expected[k]) << k << " at " << i;
    };
    ASSERT_EQ(OverlappingStep::entry(rank.context, buffers), TERT_OK)
        << rank.error();
    expectResult();
    tert_graph *graph = nullptr;
    ASSERT_EQ(tert_graph_capture(rank.context, &OverlappingStep::entry, buffers,
                                 &graph),
              TERT_OK)
        << rank.error();
    for (int i = 0; i < 20; ++i)
      ASSERT_EQ(tert_graph_launch(graph), TERT_OK) << rank.error();
    expectResult();
    // And one by one again, behind a graph.
    ASSERT_EQ(OverlappingStep::entry(rank.context, buffers), TERT_OK)
        << rank.error();
    expectResult();
    tert_graph_release(graph);
  });
}

TEST_F(CudaCollectivesTest, NothingIsConnectedWhileAGraphIsCaptured) {
  // The job meets along both axes; along the second alone it has not.
  options.mesh = {2, 2};
  runRanks(options, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    static Tensor host(TERT_F32, {4});
    static tert_tensor x;
    OnGpu copy(rank.context, host);
    x = *static_cast<const tert_tensor *>(copy);
    tert_entry entry = [](tert_context *context, void *const *) {
      return tert_collective(context, nullptr, 0, nullptr, 1, &x,
                             TERT_ALL_REDUCE, /*async=*/0, 2);
    };
    void *buffers[] = {nullptr};
    tert_graph *graph = nullptr;
    EXPECT_EQ(tert_graph_capture(rank.context, entry, buffers, &graph),
              TERT_DEVICE_ERROR);
    EXPECT_NE(rank.error().find("run the entry once first"), std::string::npos)
        << rank.error();
    EXPECT_EQ(entry(rank.context, buffers), TERT_OK) << rank.error();
    EXPECT_EQ(tert_graph_capture(rank.context, entry, buffers, &graph), TERT_OK)
        << rank.error();
    tert_graph_release(graph);
  });
}

TEST_F(CudaCollectivesTest, AKilledRankEndsTheOthersWait) {
  // To open GPUs may take longer; the store waits for that.
  options.change = [](int32_t, tert_job &job) { job.timeout_seconds = 10; };
  const int32_t killed = options.mesh[0] - 1;
  const auto statuses = runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    ScalarReduction exchange(rank);
    ASSERT_EQ(exchange.run(), TERT_OK) << rank.error();
    ASSERT_EQ(tert_synchronize(rank.context), TERT_OK) << rank.error();
    if (rank.rank == killed)
      raise(SIGKILL);
    std::string seen;
    std::thread watchdog([&] {
      for (int tries = 0; tries < 600 && seen.empty(); ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        char message[512] = "";
        if (tert_check_job(rank.context, message, sizeof(message)) != TERT_OK)
          seen = message;
      }
      tert_abort_job(rank.context, seen.c_str());
    });
    const auto begin = Clock::now();
    tert_status status = exchange.run();
    if (status == TERT_OK)
      status = tert_synchronize(rank.context);
    watchdog.join();
    const double seconds =
        std::chrono::duration<double>(Clock::now() - begin).count();
    EXPECT_NE(status, TERT_OK);
    EXPECT_LT(seconds, 45);
    EXPECT_NE(seen.find("tert.reduce_scalars at step"), std::string::npos)
        << seen;
    std::printf("rank %d, after %.1f s: %s; status %d: %s\n", rank.rank,
                seconds, seen.c_str(), status, rank.error().c_str());
    // What follows fails at once, and closing does not hang.
    EXPECT_EQ(exchange.run(), TERT_PEER_ERROR);
  });
  EXPECT_TRUE(WIFSIGNALED(statuses[killed]));
}

/// GPUs that read each other's memory would read what lies behind a tensor.
TEST_F(CudaCollectivesTest, RanksWithOtherLargeTensorsSaySo) {
  options.timeoutSeconds = 20;
  runRanks(options, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    // As many bytes in all.
    const bool isFirst = rank.rank == 0;
    std::vector<Tensor> own;
    for (int64_t size : isFirst ? std::vector<int64_t>{8 << 20}
                                : std::vector<int64_t>{6 << 20, 2 << 20})
      own.push_back(Tensor(TERT_F32, {size}));
    DeviceList x(rank.context, own);
    const tert_site site = {"tert.all_reduce", isFirst ? "h.7" : "h.8", 1, 0,
                            0};
    EXPECT_EQ(tert_collective(rank.context, &site, 0, nullptr, x.count(),
                              x.data(), TERT_ALL_REDUCE, /*async=*/0, 1),
              TERT_PEER_ERROR);
    for (const char *part :
         {isFirst ? "rank 0 is in tert.all_reduce at h.7 of 33554432 bytes"
                  : "is in tert.all_reduce at h.8 of 33554432 bytes",
          isFirst ? "but rank 1 in tert.all_reduce at h.8"
                  : "but rank 0 in tert.all_reduce at h.7"})
      EXPECT_NE(rank.error().find(part), std::string::npos) << rank.error();
  });
}

/// A shard that is gathered in place lies elsewhere on each rank, and there
/// another call had its tensor.
TEST_F(CudaCollectivesTest, ShardsInPlaceAreNoTensorsOfOtherCalls) {
  const int32_t ranks = options.mesh[0];
  runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    // Large enough to be read in place.
    constexpr int64_t count = 1 << 18;
    Tensor whole(TERT_F32, {ranks * count});
    whole.fill(
        [&](int64_t i) { return double(rank.rank * ranks * count + i); });
    DeviceList tensors(rank.context, {whole, whole, Tensor(TERT_F32, {count})});
    /// Gathers the tensor at `place` of the first one into `y`.
    auto gather = [&](int32_t site, int32_t place, tert_tensor &y) {
      const tert_site at = {"tert.all_gather", "step", site, 0, 0};
      tert_tensor x = tensors[2];
      x.data = static_cast<float *>(tensors[0].data) + place * count;
      return tert_collective(rank.context, &at, 1, &x, 1, &y, TERT_ALL_GATHER,
                             /*async=*/0, 1);
    };
    for (int32_t place = 0; place < ranks; ++place)
      ASSERT_EQ(gather(place, place, tensors[1]), TERT_OK) << rank.error();
    ASSERT_EQ(gather(ranks, rank.rank, tensors[0]), TERT_OK) << rank.error();
    const std::vector<Tensor> actual = tensors.read();
    for (int32_t member = 0; member < ranks; ++member)
      for (int64_t i = 0; i < count; ++i) {
        const int64_t first = member * ranks * count;
        ASSERT_EQ(actual[0].at(member * count + i),
                  double(first + member * count + i))
            << member << " at " << i;
        // The last gather of another place's.
        ASSERT_EQ(actual[1].at(member * count + i),
                  double(first + (ranks - 1) * count + i))
            << member << " at " << i;
      }
  });
}

TEST_F(CudaCollectivesTest, AMissingRankIsNamed) {
  options.timeoutSeconds = 2;
  options.missing = {0};
  runRanks(options, [](Rank &rank) {
    EXPECT_EQ(rank.joined, TERT_PEER_ERROR);
    EXPECT_NE(rank.error().find("waited for rank 0 to join it"),
              std::string::npos)
        << rank.error();
  });
}

TEST_F(CudaCollectivesTest, TcpIsNotForGpus) {
  options.change = [](int32_t, tert_job &job) { job.library = "tcp"; };
  runRanks(options, [](Rank &rank) {
    EXPECT_EQ(rank.joined, TERT_UNSUPPORTED);
    EXPECT_NE(rank.error().find("libtert-tcp.so"), std::string::npos)
        << rank.error();
  });
}
