// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links as doctor describes them, from times that a link with known figures
// would take.

#include "LinkFile.h"

#include <gtest/gtest.h>

using namespace tert::run;

// Four ranks, a start of 5 us, hops of 2 us, 10 GB/s in all_reduce and 8 in
// all_gather.
static const LinkTimes allReduce = {5e-6 + 6 * 2e-6,
                                    5e-6 + 6 * 2e-6 + 1.5e6 / 10e9, 1.5e6};
static const LinkTimes allGather = {5e-6 + 3 * 2e-6,
                                    5e-6 + 3 * 2e-6 + 3e6 / 8e9, 3e6};

TEST(LinkFile, FindsTheLineThroughTwoSizes) {
  for (bool together : {true, false}) {
    std::vector<std::string> hosts = {"a", "a", "a", "a"};
    if (!together)
      hosts = {"a", "b", "c", "d"};
    auto file = describeLinks(hosts, allReduce, allGather);
    ASSERT_TRUE(bool(file));
    const auto &links = (*file)["links"];
    EXPECT_NEAR(links["start_us"].get<double>(), 5, 1e-9);
    EXPECT_EQ(links.contains("host"), together);
    const auto &link = links[together ? "host" : "network"];
    EXPECT_NEAR(link["hop_us"].get<double>(), 2, 1e-9);
    EXPECT_NEAR(link["all_reduce_gbytes_per_s"].get<double>(), 10, 1e-9);
    EXPECT_NEAR(link["all_gather_gbytes_per_s"].get<double>(), 8, 1e-9);
    EXPECT_NEAR(link["reduce_scatter_gbytes_per_s"].get<double>(), 8, 1e-9);
  }
}

TEST(LinkFile, HasNoNegativeFigures) {
  // Noise: a small all_reduce that is faster than an all_gather, and a large
  // one that is faster than a small one.
  auto file = describeLinks({"a", "a"}, {3e-6, 2e-6, 1e3}, {4e-6, 9e-6, 1e3});
  ASSERT_TRUE(bool(file));
  const auto &links = (*file)["links"];
  EXPECT_NEAR(links["start_us"].get<double>(), 4, 1e-9);
  EXPECT_EQ(links["host"]["hop_us"].get<double>(), 0);
  EXPECT_NEAR(links["host"]["all_reduce_gbytes_per_s"].get<double>(), 0.5,
              1e-9);
  EXPECT_NEAR(links["host"]["all_gather_gbytes_per_s"].get<double>(), 0.2,
              1e-9);
}

TEST(LinkFile, MeasuresOneKindOfLink) {
  auto file = describeLinks({"a", "a", "b"}, allReduce, allGather);
  ASSERT_FALSE(bool(file));
  EXPECT_NE(file.takeError().message().find("the ranks are on 2 hosts"),
            std::string::npos);
}
