// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Data.h"
#include "Metrics.h"
#include "Output.h"
#include "Plot.h"
#include "Schedule.h"
#include "TestFiles.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace tert::run;
using namespace tert::session;
using namespace test;

namespace {
struct Batch {
  std::vector<int32_t> tokens;
  std::vector<int64_t> labels;
};

/// What a step's batch holds, through an entry that gives its inputs back.
Batch batchOf(BatchSource &data, uint64_t step, EntryCall &call) {
  Batch batch{std::vector<int32_t>(21), std::vector<int64_t>(21)};
  Error error = data.fill(step, call);
  EXPECT_FALSE(error) << error.message();
  EXPECT_FALSE(call.run());
  using Role = ArgumentDescription::Role;
  const EntryDescription &entry = call.description();
  EXPECT_FALSE(call.readOutput(*entry.find(Role::Output, "tokens"),
                               batch.tokens.data()));
  EXPECT_FALSE(call.readOutput(*entry.find(Role::Output, "labels"),
                               batch.labels.data()));
  return batch;
}
} // namespace

TEST(Data, LabelsAreTheNextTokensAndEveryWindowIsInTheFile) {
  TemporaryFolder folder;
  // Token i of the file is i: a window shows where it starts.
  constexpr int32_t count = 20;
  std::vector<uint32_t> file(count);
  std::iota(file.begin(), file.end(), 0u);
  writeText(folder / "t.bin", bytesOf(file));
  Expected<Artifact> artifact = Artifact::open(toyPath("toy"));
  ASSERT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  ASSERT_TRUE(session);
  Expected<EntryCall> call = EntryCall::create(**session, "echo");
  ASSERT_TRUE(call);
  EXPECT_EQ(tokensPerCall(call->description()), 21);
  auto open = [&](uint64_t seed) {
    auto data = openData(folder / "t.bin", DataFormat::U32, seed, *call);
    EXPECT_TRUE(data) << data.takeError().message();
    return std::move(*data);
  };
  std::unique_ptr<BatchSource> data = open(1), same = open(1), other = open(2);
  std::set<int32_t> starts;
  bool differs = false;
  for (uint64_t step = 0; step < 200; ++step) {
    Batch batch = batchOf(*data, step, *call);
    for (size_t i = 0; i < 21; ++i) {
      EXPECT_EQ(batch.labels[i], batch.tokens[i] + 1);
      EXPECT_EQ(batch.tokens[i],
                batch.tokens[i / 7 * 7] + static_cast<int32_t>(i % 7));
      EXPECT_LT(batch.labels[i], count);
      if (i % 7 == 0)
        starts.insert(batch.tokens[i]);
    }
    EXPECT_EQ(batch.tokens, batchOf(*same, step, *call).tokens);
    differs |= batch.tokens != batchOf(*other, step, *call).tokens;
  }
  // Every place where 7 tokens and one more fit.
  EXPECT_EQ(starts.size(), size_t(count - 7));
  EXPECT_EQ(*starts.rbegin(), count - 8);
  EXPECT_TRUE(differs);

  writeText(folder / "short.bin", bytesOf(std::vector<uint32_t>(7)));
  EXPECT_NE(openData(folder / "short.bin", DataFormat::U32, 0, *call)
                .takeError()
                .message()
                .find("needs (8)"),
            std::string::npos);
}

TEST(Schedule, RisesThenFalls) {
  Schedule schedule;
  schedule.rate = 8;
  schedule.minimum = 2;
  schedule.warmup = 4;
  schedule.steps = 11;
  for (auto kind : {Schedule::Kind::Constant, Schedule::Kind::Cosine,
                    Schedule::Kind::Linear}) {
    schedule.kind = kind;
    EXPECT_EQ(schedule.at(0), 2.0);
    EXPECT_EQ(schedule.at(3), 8.0);
    EXPECT_EQ(schedule.at(4), 8.0);
  }
  EXPECT_EQ(schedule.at(7), 5.0); // Linear, half-way.
  EXPECT_EQ(schedule.at(10), 2.0);
  schedule.kind = Schedule::Kind::Cosine;
  EXPECT_DOUBLE_EQ(schedule.at(7), 5.0);
  EXPECT_DOUBLE_EQ(schedule.at(6), 2 + 3 * (1 + std::cos(M_PI / 3)));
  EXPECT_DOUBLE_EQ(schedule.at(10), 2.0);
  schedule.kind = Schedule::Kind::Constant;
  EXPECT_EQ(schedule.at(10), 8.0);
}

TEST(Output, NumbersForPeople) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1536), "1.50 KiB");
  EXPECT_EQ(formatBytes(5e9), "4.66 GiB");
  EXPECT_EQ(formatCount(12345), "12.3k");
  EXPECT_EQ(formatDuration(59.6), "1:00");
  EXPECT_EQ(formatDuration(3725), "1:02:05");
}

TEST(Metrics, KeepsWhatCameBeforeTheResumedStep) {
  TemporaryFolder folder;
  writeText(folder / "log", "{\"step\":1,\"loss\":4.0,\"amax\":{\"a\":2.5}}\n"
                            "not json\n"
                            "{\"step\":2,\"loss\":null}\n"
                            "{\"step\":3,\"loss\":2.0}\n"
                            "{\"step\":2,\"lo");
  Metrics metrics({"a", "b"});
  ASSERT_FALSE(metrics.open(folder / "log", 2));
  ASSERT_EQ(metrics.steps().size(), 2u);
  EXPECT_EQ(metrics.steps()[0].loss, 4.0);
  EXPECT_EQ(metrics.steps()[0].amaxes[0], 2.5f);
  EXPECT_TRUE(std::isnan(metrics.steps()[0].amaxes[1]));
  EXPECT_TRUE(std::isnan(metrics.steps()[1].loss));
  StepMetrics next;
  next.step = 3;
  next.loss = HUGE_VAL;
  ASSERT_FALSE(metrics.add(next));
  std::string log = readText(folder / "log");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 3);
  EXPECT_NE(log.find("{\"step\":3,\"loss\":null"), std::string::npos) << log;
}

TEST(Plot, WhateverTheNumbersAre) {
  const std::vector<std::vector<double>> runs = {
      {},    {1.0}, {2, 2, 2}, {NAN, NAN}, {0, 0}, {-3, 5, HUGE_VAL, 1e30},
      {5, 4}};
  for (const std::vector<double> &losses : runs) {
    Metrics metrics({"a.input", "a.<weight>&"});
    for (size_t i = 0; i < losses.size(); ++i) {
      StepMetrics step;
      step.step = i + 1;
      step.loss = losses[i];
      step.amaxes = {static_cast<float>(losses[i]), 0.0f};
      ASSERT_FALSE(metrics.add(step));
    }
    std::string svg = plotRun(metrics, "a <b> & c");
    EXPECT_EQ(svg.rfind("<svg", 0), 0u);
    EXPECT_NE(svg.find("a &lt;b&gt; &amp; c"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
  }
}

TEST(Plot, LongRunsStaySmall) {
  Metrics metrics({});
  for (uint64_t i = 1; i <= 100000; ++i) {
    StepMetrics step;
    step.step = i;
    step.loss = 5 + std::sin(static_cast<double>(i));
    ASSERT_FALSE(metrics.add(step));
  }
  EXPECT_LT(plotRun(metrics, "t").size(), 60000u);
}
