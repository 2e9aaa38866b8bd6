// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tuning/TuningDatabase.h"

#include "TestFiles.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace test;

static const std::string device = "NVIDIA H200, 132 multiprocessors";
static const std::string problem = "16x32x64 bf16 * bf16^T -> bf16 + bias";

static TuningDatabase sample() {
  TuningDatabase database;
  database.put(device, problem, {"00ff", 2e-5, 1.5e-5});
  database.put(device, "16x16x16 f32 * f32 -> f32", {"0abc", 1e-6, 1e-6});
  database.put("another GPU", problem, {"1111", 0.5, 0.25});
  return database;
}

static std::string failureOf(const std::string &json) {
  Expected<TuningDatabase> database = TuningDatabase::parse(json);
  return database ? "" : database.takeError().message();
}

/// `text` with the first `from` replaced.
static std::string changed(std::string text, const std::string &from,
                           const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(TuningDatabase, ComesBackAsItWas) {
  TemporaryFolder folder;
  EXPECT_FALSE(sample().write(folder / "t.json"));
  Expected<TuningDatabase> read = TuningDatabase::read(folder / "t.json");
  ASSERT_TRUE(read) << read.takeError().message();
  ASSERT_EQ(read->plansFor(device).size(), 2u);
  const TunedPlan &plan = read->plansFor(device).at(problem);
  EXPECT_EQ(plan.plan, "00ff");
  EXPECT_EQ(plan.firstSeconds, 2e-5);
  EXPECT_EQ(plan.bestSeconds, 1.5e-5);
  EXPECT_EQ(read->plansFor("another GPU").at(problem).plan, "1111");
  EXPECT_TRUE(read->plansFor("a third").empty());
  EXPECT_EQ(read->deviceNames(), "'" + device + "', 'another GPU'");
  EXPECT_EQ(read->toJson(), sample().toJson());
}

TEST(TuningDatabase, ANewPlanReplacesTheOld) {
  TuningDatabase database = sample();
  database.put(device, problem, {"2222", 3, 2});
  EXPECT_EQ(database.plansFor(device).size(), 2u);
  EXPECT_EQ(database.plansFor(device).at(problem).plan, "2222");
}

TEST(TuningDatabase, EveryDamageIsNoticed) {
  const std::string whole = sample().toJson();
  EXPECT_EQ(failureOf(whole), "");
  for (const auto &[from, to, says] :
       {std::tuple("te-mlir-tuning", "other", "not a tuning database"),
        std::tuple("\"version\": 1", "\"version\": 7", "its version is 7"),
        std::tuple("\"version\": 1,", "", "its version is absent"),
        std::tuple("\"devices\"", "\"gadgets\"", "'devices' is not a list"),
        std::tuple("\"device\"", "\"gadget\"", "lacks its name"),
        std::tuple("00ff", "00fe", "does not agree with its checksum"),
        std::tuple("16x32x64", "16x32x65", "does not agree with its checksum"),
        std::tuple("\"first_seconds\"", "\"first\"", "a plan lacks one of"),
        std::tuple("\"00ff\"", "12", "a plan lacks one of"),
        std::tuple("1.5e-05", "-1.0", "a plan lacks one of"),
        std::tuple("1.5e-05", "\"fast\"", "a plan lacks one of")})
    EXPECT_NE(failureOf(changed(whole, from, to)).find(says), std::string::npos)
        << from << ": " << failureOf(changed(whole, from, to));
  EXPECT_NE(failureOf("[1]").find("not a tuning database"), std::string::npos);
}

TEST(TuningDatabase, NoPrefixOfAFilePasses) {
  const std::string whole = sample().toJson();
  for (size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_NE(failureOf(whole.substr(0, length)), "") << length;
}

TEST(TuningDatabase, BesideTheArtifact) {
  EXPECT_EQ(defaultTuningPath("out/gpt.so"), "out/gpt.tuning.json");
  EXPECT_EQ(defaultTuningPath("gpt"), "gpt.tuning.json");
}

TEST(TuningDatabase, DeepJsonIsRefused) {
  std::string deep(1000000, '[');
  EXPECT_NE(failureOf(deep + std::string(1000000, ']')).find("too deep"),
            std::string::npos);
  TemporaryFolder folder;
  ASSERT_FALSE(sample().write(folder / "t"));
  EXPECT_NE(failureOf(changed(readText(folder / "t"), "\"device\":",
                              "\"x\":" + deep + std::string(1000000, ']') +
                                  ",\"device\":"))
                .find("too deep"),
            std::string::npos);
}
