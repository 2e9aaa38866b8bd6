// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tool.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

using namespace test;

TEST(Bench, ForPeople) {
  Result result = teRun({"bench", toyPath("small_range"), "--iterations", "3"});
  EXPECT_EQ(result.code, 0) << result.error;
  for (const char *part :
       {"entry train, 3 calls", "median", "tokens/s", "peak memory",
        "time by op", "tert.embedding", "toy.py:7"})
    EXPECT_CONTAINS(result.out, part);
}

TEST(Bench, ForPrograms) {
  Result result = teRun({"bench", toyPath("small_range"), "--iterations", "4",
                         "--warmup", "0", "--profile", "2", "--json"});
  EXPECT_EQ(result.code, 0) << result.error;
  auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out;
  EXPECT_EQ(json["tokens"], 64);
  EXPECT_EQ(json["iterations"], 4);
  double median = json["seconds"]["median"];
  EXPECT_GT(median, 0);
  EXPECT_LE(json["seconds"]["min"], median);
  EXPECT_GE(json["seconds"]["p90"], median);
  EXPECT_NEAR(double(json["tokens_per_second"]) * median, 64, 1e-6);
  EXPECT_EQ(json["arena_bytes"], 4 * 64 * (64 + 64));
  ASSERT_EQ(json["ops"].size(), 1u);
  EXPECT_EQ(json["ops"][0]["op"], "tert.embedding");
  EXPECT_EQ(json["ops"][0]["calls"], 1.0);
  EXPECT_EQ(json["ops"][0]["bytes"], 64.0 * 8 + 2 * 64.0 * 64 * 4);
  EXPECT_LE(json["seconds"]["p10"], median);
  EXPECT_GT(json["host_seconds"]["median"], 0);
  // One by one, of which the rest is made.
  std::vector<double> calls = json["call_seconds"];
  ASSERT_EQ(calls.size(), 4u);
  std::sort(calls.begin(), calls.end());
  EXPECT_EQ(json["seconds"]["min"], calls[0]);
  EXPECT_NEAR(median, (calls[1] + calls[2]) / 2, 1e-12);
  // Each of the program's few states begins at a multiple of 256 bytes.
  const int64_t gaps =
      int64_t(json["peak_bytes"]) - int64_t(json["state_bytes"]) -
      int64_t(json["arena_bytes"]) - int64_t(json["argument_bytes"]) -
      int64_t(json["temporary_bytes"]);
  EXPECT_GE(gaps, 0);
  EXPECT_LT(gaps, 8 * 256);
}

TEST(Bench, OneCallWithoutWarmup) {
  for (const char *command : {"bench", "profile"}) {
    Result result = teRun({command, toyPath("small_range"), "--iterations", "1",
                           "--warmup", "0"});
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_CONTAINS(result.out, "tert.embedding");
  }
}

TEST(Bench, AnotherEntryAndFloatInputs) {
  Result result = teRun({"bench", toyPath("toy"), "--entry", "vjp",
                         "--iterations", "1", "--json"});
  EXPECT_EQ(result.code, 0) << result.error;
  auto json = nlohmann::json::parse(result.out, nullptr, false);
  EXPECT_EQ(json["samples"], 2); // Of the input [2, 3].
  EXPECT_TRUE(json["ops"].empty());
}

TEST(Bench, WhatDoesNotFitIsRefusedWithFigures) {
  Result result = teRun({"bench", toyPath("huge")});
  EXPECT_FAILS(result,
               "entry 'train' of '" + toyPath("huge") + "' needs 64.0 TiB");
  EXPECT_CONTAINS(result.error, "arena 64.0 TiB");
  EXPECT_CONTAINS(result.error, "are free");
  // Then the system says no.
  EXPECT_FAILS(teRun({"bench", toyPath("huge"), "--no-memory-check"}),
               "the arena of entry 'train'");
}

TEST(Bench, RandomTokensOutsideTheVocabularyAreAnError) {
  EXPECT_FAILS(teRun({"bench", toyPath("small_vocabulary")}), "token id");
}
