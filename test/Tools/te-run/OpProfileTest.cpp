// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What te-run makes of a profile with kernels, which only a GPU has.

#include "OpProfile.h"
#include "TestFiles.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace tert::run;
using namespace test;

namespace {
/// Two products of two and one kernel, and a sum of one.
OpProfile someProfile() {
  OpProfile profile;
  profile.sites = {
      {"tert.matmul",
       "h.0",
       1,
       4e-3,
       2e-3,
       8e9,
       0,
       {{"gemm", 1, 3e-3}, {"reduce", 2, 1e-3}}},
      {"tert.add", "h.1", 1, 3e-3, 1e-3, 0, 0, {{"addKernel", 1, 3e-3}}},
      {"tert.matmul", "h.2", 1, 1e-3, 1e-3, 0, 0, {{"gemm", 1, 1e-3}}}};
  profile.spans = {{"tert.matmul", "h.0", 0, 4e-3, 2e-3, 8e9, 0}};
  profile.kernels = {{"gemm", "tert.matmul", "h.0", 1e-4, 3e-3},
                     {"reduce", "tert.matmul", "h.0", 31e-4, 5e-4}};
  return profile;
}

/// Lines of what is printed, with one space between cells.
std::vector<std::string> printed(const OpProfile &profile,
                                 const ProfileView &view) {
  testing::internal::CaptureStdout();
  printProfile(profile, view);
  std::istringstream text(testing::internal::GetCapturedStdout());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string joined;
    for (std::string word; words >> word;)
      joined += (joined.empty() ? "" : " ") + word;
    lines.push_back(joined);
  }
  return lines;
}

using Lines = std::vector<std::string>;
} // namespace

TEST(OpProfile, OpsSumTheKernelsOfTheirSites) {
  std::vector<OpTime> ops = someProfile().byOp();
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].op, "tert.matmul");
  ASSERT_EQ(ops[0].kernels.size(), 2u);
  EXPECT_EQ(ops[0].kernels[0].name, "gemm");
  EXPECT_EQ(ops[0].kernels[0].calls, 2);
  EXPECT_DOUBLE_EQ(ops[0].kernels[0].seconds, 4e-3);
  EXPECT_EQ(ops[0].kernels[1].name, "reduce");
}

TEST(OpProfile, KernelsStandBelowOpsOfSeveral) {
  EXPECT_EQ(
      printed(someProfile(), {1, 2}),
      (Lines{"", "time by op, per call",
             "op calls ms share floor ms x floor GB/s TFLOP/s",
             "tert.matmul 2 5.000 62.5 % 3.000 1.7 1600",
             "gemm 2 4.000 50.0 % 1.3", "reduce 2 1.000 12.5 % 0.3",
             "tert.add 1 3.000 37.5 % 1.000 3.0",
             "all 3 8.000 100.0 % 4.000 2.0 1000", "", "time by site, per call",
             "op ms share floor ms x floor GB/s TFLOP/s at",
             "tert.matmul 4.000 50.0 % 2.000 2.0 2000 h.0",
             "gemm 3.000 37.5 % 1.5", "reduce 1.000 12.5 % 0.5",
             "and 2 more (--sites)"}));
}

TEST(OpProfile, AllKernelsOrNone) {
  auto count = [](size_t minKernels) {
    Lines lines = printed(someProfile(), {3, minKernels});
    return std::count_if(
        lines.begin(), lines.end(), [](const std::string &line) {
          return line.rfind("gemm", 0) == 0 || line.rfind("reduce", 0) == 0 ||
                 line.rfind("addKernel", 0) == 0;
        });
  };
  EXPECT_EQ(count(1), 3 + 4);
  EXPECT_EQ(count(SIZE_MAX), 0);
  // Long names do not push the figures off the screen.
  OpProfile profile = someProfile();
  profile.sites[1].kernels[0].name = std::string(200, 'k');
  for (const std::string &line : printed(profile, {0, 1}))
    EXPECT_LT(line.size(), 100u) << line;
}

TEST(OpProfile, KernelsInJsonAndInTheTrace) {
  OpProfile profile = someProfile();
  auto json = toJson(profile.sites);
  ASSERT_EQ(json[0]["kernels"].size(), 2u);
  EXPECT_EQ(json[0]["kernels"][1],
            (nlohmann::ordered_json{
                {"name", "reduce"}, {"calls", 2.0}, {"seconds", 1e-3}}));
  TemporaryFolder folder;
  ASSERT_FALSE(writeTrace(profile, "gpt.so", folder / "trace"));
  auto trace =
      nlohmann::json::parse(readText(folder / "trace"), nullptr, false);
  ASSERT_TRUE(trace.is_object());
  std::vector<nlohmann::json> kernels;
  for (const nlohmann::json &event : trace["traceEvents"])
    if (event["ph"] == "X" && event["cat"] == "kernel")
      kernels.push_back(event);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[1]["name"], "reduce");
  EXPECT_DOUBLE_EQ(kernels[1]["ts"], 3100.0);
  EXPECT_DOUBLE_EQ(kernels[1]["dur"], 500.0);
  EXPECT_EQ(kernels[1]["args"]["op"], "tert.matmul");
  EXPECT_NE(kernels[1]["tid"], trace["traceEvents"][0]["tid"]);
}
