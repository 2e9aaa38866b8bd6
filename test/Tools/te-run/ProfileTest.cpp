// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tool.h"

#include <nlohmann/json.hpp>

using namespace test;

TEST(Profile, WritesATrace) {
  TemporaryFolder folder;
  Result result = teRun({"profile", toyPath("small_range"), "--calls", "2",
                         "--trace", folder / "trace.json"});
  EXPECT_EQ(result.code, 0) << result.error;
  for (const char *part : {"time by op", "tert.embedding", "toy.py:7", "GB/s"})
    EXPECT_CONTAINS(result.out, part);
  auto trace = nlohmann::json::parse(readText(folder / "trace.json"), nullptr,
                                     /*allow_exceptions=*/false);
  ASSERT_TRUE(trace.is_object());
  std::vector<nlohmann::json> spans, modules;
  for (const nlohmann::json &event : trace["traceEvents"])
    if (event["ph"] == "X")
      (event["cat"] == "op" ? spans : modules).push_back(event);
  // Both calls are in the one module.
  ASSERT_EQ(modules.size(), 1u);
  EXPECT_EQ(modules[0]["name"], "bigram");
  EXPECT_EQ(modules[0]["ts"], 0.0);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0]["name"], "tert.embedding");
  EXPECT_EQ(spans[0]["ts"], 0.0);
  EXPECT_GE(double(spans[1]["ts"]), double(spans[0]["dur"]));
  EXPECT_EQ(spans[0]["args"]["location"], "bigram (toy.py:7)");
  // 64 tokens, and their rows of 64 values read and written.
  EXPECT_EQ(spans[0]["args"]["bytes"], 64.0 * 8 + 2 * 64.0 * 64 * 4);
}

TEST(Profile, OnlyTracesAreReplaced) {
  TemporaryFolder folder;
  auto profile = [&](const std::string &trace) {
    return teRun({"profile", toyPath("small_range"), "--calls", "1",
                  "--iterations", "1", "--trace", trace});
  };
  writeText(folder / "mine", "{\"traceEvents\":[]}");
  EXPECT_FAILS(profile(folder / "mine"), "is in the way of --trace");
  EXPECT_EQ(readText(folder / "mine"), "{\"traceEvents\":[]}");
  EXPECT_EQ(profile(folder / "own").code, 0);
  EXPECT_EQ(profile(folder / "own").code, 0);
}

TEST(Profile, ATraceThatCannotBeWritten) {
  EXPECT_FAILS(teRun({"profile", toyPath("small_range"), "--trace",
                      "/absent/trace.json"}),
               "/absent/trace.json");
}
