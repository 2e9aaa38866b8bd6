// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Metrics.h"
#include "Output.h"
#include "Plot.h"
#include "Schedule.h"
#include "TestFiles.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace tert::run;
using namespace test;

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
