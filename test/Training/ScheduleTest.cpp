// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Schedule.h"

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
