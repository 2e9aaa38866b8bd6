// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives' times against closed forms that were worked out by hand, and
// against what NCCL took between two H200s.

#include "te/Planning/CollectiveTime.h"

#include <gtest/gtest.h>

using namespace mlir::te;

namespace {
/// Round numbers: a start of 5 us; 100 GB/s with steps of 2 us within a host,
/// 10 GB/s with steps of 20 us between hosts.
Cluster::Links roundLinks() {
  Cluster::Links links;
  links.startSeconds = 5e-6;
  links.host = {2e-6, 100e9, 100e9, 100e9};
  links.network = {20e-6, 10e9, 10e9, 10e9};
  return links;
}

double microseconds(CollectiveKind kind, double bytes,
                    const GroupPlacement &placement) {
  return 1e6 * getSeconds(kind, bytes, placement, roundLinks());
}

void expectPlacement(const GroupPlacement &placement, int64_t ranks,
                     int64_t hosts, int64_t fewest) {
  EXPECT_EQ(placement.ranks, ranks);
  EXPECT_EQ(placement.hosts, hosts);
  EXPECT_EQ(placement.fewest, fewest);
}
} // namespace

TEST(PlaceGroup, FollowsTheOrderOfRanks) {
  const MeshAxis wide[] = {{"dp", 512}, {"tp", 8}};
  // tp is the fastest: eight neighbours, one host.
  expectPlacement(placeGroup(wide, 0b10, 8), 8, 1, 8);
  // Ranks r, r + 8, …: each on a host of its own.
  expectPlacement(placeGroup(wide, 0b01, 8), 512, 512, 1);
  expectPlacement(placeGroup(wide, 0b11, 8), 4096, 512, 8);
  // The other way round, dp takes whole hosts and tp jumps over 512 ranks.
  const MeshAxis turned[] = {{"tp", 8}, {"dp", 512}};
  expectPlacement(placeGroup(turned, 0b01, 8), 8, 8, 1);
  expectPlacement(placeGroup(turned, 0b10, 8), 512, 64, 8);
  // Ranks 0, 4, 8, 12: two on each of two hosts.
  const MeshAxis square[] = {{"dp", 4}, {"tp", 4}};
  expectPlacement(placeGroup(square, 0b01, 8), 4, 2, 2);
  // Three axes: cp of ranks 0, 2, 4, 6.
  const MeshAxis cube[] = {{"dp", 2}, {"cp", 4}, {"tp", 2}};
  expectPlacement(placeGroup(cube, 0b010, 8), 4, 1, 4);
  expectPlacement(placeGroup(cube, 0b101, 8), 4, 2, 2);
}

TEST(PlaceGroup, TakesTheWorstOfGroupsThatDoNotFitHosts) {
  // Ranks 0 to 5 are on one host; 6 to 11 are two on one, four on the next.
  const MeshAxis axes[] = {{"dp", 2}, {"tp", 6}};
  expectPlacement(placeGroup(axes, 0b10, 8), 6, 2, 2);
  // One host that is not full.
  expectPlacement(placeGroup(axes, 0b11, 16), 12, 1, 12);
}

TEST(CollectiveTime, SendsWhatTheAlgorithmsMust) {
  EXPECT_DOUBLE_EQ(getSentBytes(CollectiveKind::AllReduce, 800, 8), 1400);
  EXPECT_DOUBLE_EQ(getSentBytes(CollectiveKind::ReduceScatter, 800, 8), 700);
  EXPECT_DOUBLE_EQ(getSentBytes(CollectiveKind::AllGather, 800, 8), 700);
  EXPECT_DOUBLE_EQ(getSentBytes(CollectiveKind::ReduceScalars, 12, 4), 36);
  for (auto kind : {CollectiveKind::AllReduce, CollectiveKind::ReduceScatter,
                    CollectiveKind::AllGather, CollectiveKind::ReduceScalars}) {
    EXPECT_EQ(getSentBytes(kind, 800, 1), 0);
    EXPECT_EQ(microseconds(kind, 800, {1, 1, 1}), 0);
  }
}

TEST(CollectiveTime, OnOneHostIsARing) {
  // 5 + 3 * 2 us, and three quarters of 100 MB at 100 GB/s.
  EXPECT_NEAR(microseconds(CollectiveKind::AllGather, 100e6, {4, 1, 4}),
              11 + 750, 1e-6);
  EXPECT_NEAR(microseconds(CollectiveKind::ReduceScatter, 100e6, {4, 1, 4}),
              11 + 750, 1e-6);
  // Two laps.
  EXPECT_NEAR(microseconds(CollectiveKind::AllReduce, 100e6, {4, 1, 4}),
              17 + 1500, 1e-6);
  // Each of 8 ranks sends its 40 bytes to seven others.
  EXPECT_NEAR(microseconds(CollectiveKind::ReduceScalars, 40, {8, 1, 8}),
              5 + 7 * 2 + 280 / 100e3, 1e-6);
}

TEST(CollectiveTime, BetweenHostsIsAsFastAsTheAdapters) {
  // Two hosts of eight: 14 steps within hosts and one between them; eight
  // adapters have 80 GB/s, less than the link within a host.
  EXPECT_NEAR(microseconds(CollectiveKind::AllGather, 160e6, {16, 2, 8}),
              5 + 14 * 2 + 20 + 150e6 / 80e3, 1e-6);
  // Sixteen adapters are faster than that link.
  EXPECT_NEAR(microseconds(CollectiveKind::AllGather, 320e6, {32, 2, 16}),
              5 + 30 * 2 + 20 + 310e6 / 100e3, 1e-6);
  // One rank on each of 512 hosts: nine levels of a tree, not 511 steps, and
  // nothing goes over the link within a host.
  EXPECT_NEAR(microseconds(CollectiveKind::AllGather, 512e6, {512, 512, 1}),
              5 + 9 * 20 + 511e6 / 10e3, 1e-6);
  // With two on a host an all_gather is a ring: 256 steps within, 255 between.
  EXPECT_NEAR(microseconds(CollectiveKind::AllGather, 512e6, {512, 256, 2}),
              5 + 256 * 2 + 255 * 20 + 511e6 / 20e3, 1e-6);
  // An all_reduce is a tree there, too: up and down one step within the host
  // and eight between.
  EXPECT_NEAR(microseconds(CollectiveKind::AllReduce, 512e6, {512, 256, 2}),
              5 + 2 * (2 + 8 * 20) + 2 * 511e6 / 20e3, 1e-6);
  // Of two hosts with one rank each the ring has one step as the tree does.
  EXPECT_NEAR(microseconds(CollectiveKind::AllReduce, 1e6, {2, 2, 1}),
              5 + 2 * 20 + 1e6 / 10e3, 1e-6);
}

TEST(CollectiveTime, IsNearWhatTwoDevicesTook) {
  // NCCL 2.28.9, two H200s of one host, median of replayed graphs.
  struct Measured {
    double bytes, allReduce, allGather, reduceScatter; // us
  };
  const Measured large[] = {{16 << 20, 79, 55, 53},
                            {64 << 20, 251, 156, 165},
                            {256 << 20, 890, 548, 580},
                            {1 << 30, 3288, 2008, 2044}};
  const Cluster::Links &links = *getReferenceCluster().links;
  auto expectNear = [&](CollectiveKind kind, double bytes, double measured,
                        double share) {
    double seconds = getSeconds(kind, bytes, {2, 1, 2}, links);
    EXPECT_NEAR(seconds * 1e6 / measured, 1, share)
        << stringifyEnum(kind).str() << " of " << bytes << " bytes";
  };
  for (const auto &[bytes, allReduce, allGather, reduceScatter] : large) {
    expectNear(CollectiveKind::AllReduce, bytes, allReduce, 0.12);
    expectNear(CollectiveKind::AllGather, bytes, allGather, 0.15);
    expectNear(CollectiveKind::ReduceScatter, bytes, reduceScatter, 0.12);
  }
  // A straight line cannot be near the smallest, too, which take a few us more.
  expectNear(CollectiveKind::AllReduce, 4096, 10.2, 0.4);
  expectNear(CollectiveKind::AllReduce, 1 << 20, 17, 0.1);
}
