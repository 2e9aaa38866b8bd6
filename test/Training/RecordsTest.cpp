// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestFiles.h"
#include "training/Metrics.h"
#include "training/Plot.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace tert::training;
using namespace test;

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

TEST(Metrics, TheMeanIsOverTheLastFiftyFiniteLosses) {
  Metrics metrics({});
  auto add = [&](double loss) {
    StepMetrics step;
    step.step = metrics.steps().size() + 1;
    step.loss = loss;
    EXPECT_FALSE(metrics.add(step));
    return metrics.steps().back();
  };
  EXPECT_TRUE(std::isnan(add(NAN).meanLoss));
  EXPECT_EQ(add(4).meanLoss, 4);
  EXPECT_EQ(add(HUGE_VAL).meanLoss, 4);
  EXPECT_EQ(add(2).meanLoss, 3);
  for (int i = 0; i < 49; ++i)
    add(1);
  // 2 and 49 ones, then 50 ones.
  EXPECT_EQ(metrics.steps().back().meanLoss, 51.0 / 50);
  EXPECT_EQ(metrics.steps().back().meanOver, 50u);
  EXPECT_EQ(add(1).meanLoss, 1);
}

// Batches with fewer labels weigh less, and without one nothing.
TEST(Metrics, TheMeanIsOverLabels) {
  TemporaryFolder folder;
  Metrics metrics({});
  ASSERT_FALSE(metrics.open(folder / "log", 0));
  auto add = [&](double loss, std::optional<uint64_t> labels) {
    StepMetrics step;
    step.step = metrics.steps().size() + 1;
    step.loss = loss;
    step.labels = labels;
    EXPECT_FALSE(metrics.add(step));
    return metrics.steps().back();
  };
  EXPECT_EQ(add(4, 30).meanLoss, 4);
  EXPECT_EQ(add(0, 0).meanLoss, 4);
  EXPECT_EQ(add(2, 10).meanLoss, (4.0 * 30 + 2.0 * 10) / 40);
  EXPECT_EQ(metrics.steps().back().meanOver, 2u);
  // A continued run weighs the steps before it likewise.
  Metrics more({});
  ASSERT_FALSE(more.open(folder / "log", 3));
  EXPECT_EQ(more.steps().back().meanLoss, 3.5);
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

TEST(Plot, TheFigureBesideTheCurveIsTheMean) {
  Metrics metrics({});
  for (uint64_t i = 1; i <= 200; ++i) {
    StepMetrics step;
    step.step = i;
    step.loss = i <= 100 ? 8 : 1 + static_cast<double>(i % 2);
    ASSERT_FALSE(metrics.add(step));
  }
  EXPECT_NE(plotRun(metrics, "t").find(">1.5000</text>"), std::string::npos);
}
