// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Schedule.h"
#include "TestFiles.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tert::training;

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

// torch.optim.lr_scheduler.SequentialLR of LinearLR(1/4, 1, 3), ConstantLR(1)
// and LinearLR(1, 1/4, 3) at 4 and 8, in PyTorch 2.
TEST(Schedule, WarmupStableDecayIsPyTorchs) {
  Schedule schedule = {Schedule::Kind::WarmupStableDecay, 8, 2, 4, 12, 3};
  const double expected[] = {2.0, 4.0, 6.0, 8.0, 8.0, 8.0,
                             8.0, 8.0, 8.0, 6.0, 4.0, 2.0};
  for (uint64_t step = 0; step < 12; ++step)
    EXPECT_NEAR(schedule.at(step), expected[step], 1e-12) << step;
  // A tenth of the run, and no stable part where there is no room for one.
  schedule.decay = 0;
  schedule.warmup = 0;
  schedule.steps = 100;
  EXPECT_EQ(schedule.at(89), 8.0);
  EXPECT_DOUBLE_EQ(schedule.at(90), 8 - 6 * 0.1);
  EXPECT_EQ(schedule.at(99), 2.0);
  schedule = {Schedule::Kind::WarmupStableDecay, 8, 2, 4, 8, 100};
  EXPECT_EQ(schedule.at(4), 8.0);
  EXPECT_EQ(schedule.at(7), 2.0);
}

// transformers.get_inverse_sqrt_schedule(num_warmup_steps=4, timescale=4), of
// the steps from 1, as its first one has the rate 0.
TEST(Schedule, InverseSqrtIsThatOfTransformers) {
  Schedule schedule = {Schedule::Kind::InverseSqrt, 8, 0, 4, 12};
  const double expected[] = {2.0,
                             4.0,
                             6.0,
                             8.0,
                             7.155417527999327,
                             6.531972647421809,
                             6.047431568147635,
                             5.65685424949238,
                             5.333333333333333,
                             5.059644256269407,
                             4.824181513244218,
                             4.618802153517007};
  for (uint64_t step = 0; step < 12; ++step)
    EXPECT_NEAR(schedule.at(step), expected[step], 1e-12) << step;
  schedule.minimum = 5;
  EXPECT_EQ(schedule.at(50), 5.0);
}

TEST(Schedule, PointsAreJoinedByLines) {
  test::TemporaryFolder folder;
  const std::string path = folder / "schedule";
  test::writeText(path, "# step, factor\n\n2 0.5\n4,1 # the peak\r\n14\t0\n");
  auto points = readSchedule(path);
  ASSERT_TRUE(points) << points.takeError().message();
  Schedule schedule = {Schedule::Kind::Points, 8, 0, 0, 20, 0, *points};
  // Of steps from 1: numpy.interp([1, 2, 3, 4, 5, 14, 20], [2, 4, 14], ...).
  for (auto [step, factor] : {std::pair(1, 0.5),
                              {2, 0.5},
                              {3, 0.75},
                              {4, 1.0},
                              {5, 0.9},
                              {14, 0.0},
                              {20, 0.0}})
    EXPECT_DOUBLE_EQ(schedule.at(static_cast<uint64_t>(step - 1)), 8 * factor)
        << step;
}

TEST(Schedule, LinesThatAreNone) {
  test::TemporaryFolder folder;
  const std::string path = folder / "schedule";
  for (auto [text, part] : {std::pair("1 1\n2\n", "line 2"),
                            {"0 1", "from 1"},
                            {"1 -1", "at least"},
                            {"1 inf", "line 1"},
                            {"1 1 1", "line 1"},
                            {"one 1", "line 1"},
                            {"3 1\n3 0.5", "order the lines"},
                            {"# nothing\n", "no lines"}}) {
    test::writeText(path, text);
    auto points = readSchedule(path);
    ASSERT_FALSE(points) << text;
    EXPECT_NE(points.takeError().message().find(part), std::string::npos)
        << text;
  }
}
