// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/SettingsWarnings.h"
#include "training/TrainingOptions.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace tert::training;

namespace {
using Role = ArgumentDescription::Role;

/// A step of AdamW with clipping.
EntryDescription adamw() {
  EntryDescription entry;
  entry.name = "train";
  for (auto [name, value] : {std::pair("learning_rate", 1e-3),
                             {"weight_decay", 0.1},
                             {"max_grad_norm", 0.0},
                             {"beta1", 0.9},
                             {"beta2", 0.95}}) {
    ArgumentDescription scalar;
    scalar.name = name;
    scalar.role = Role::Scalar;
    scalar.defaultValue = value;
    entry.arguments.push_back(scalar);
  }
  return entry;
}

/// The only warning, or how many there are.
std::string warningOf(const TrainingOptions &options, double rate = 1e-3) {
  std::vector<std::string> all = settingsWarnings(options, rate, adamw());
  return all.size() == 1 ? all.front() : std::to_string(all.size());
}

TrainingOptions usual() {
  TrainingOptions options;
  options.steps = 100;
  options.warmup = 10;
  options.schedule = Schedule::Kind::Cosine;
  options.minimumRate = 1e-4;
  return options;
}

TrainingOptions with(const char *scalar, double value) {
  TrainingOptions options = usual();
  options.scalars = {{scalar, scalar, value}};
  return options;
}

void expectSays(const std::string &text, const char *part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}
} // namespace

TEST(SettingsWarnings, UsualSettingsAreNotWarnedOf) {
  EXPECT_EQ(warningOf(usual()), "0");
  EXPECT_EQ(warningOf(usual(), 2e-2), "0");
  EXPECT_EQ(warningOf(with("max_grad_norm", 1)), "0");
  EXPECT_EQ(warningOf(with("max_grad_norm", 0)), "0");
  EXPECT_EQ(warningOf(with("weight_decay", 1)), "0");
  TrainingOptions one = usual();
  one.steps = 1;
  one.warmup = 0;
  EXPECT_EQ(warningOf(one), "0");
  // SGD's learning rates are of another kind.
  EntryDescription sgd;
  EXPECT_TRUE(settingsWarnings(usual(), 4, sgd).empty());
}

TEST(SettingsWarnings, WhatLearnsNothingOrSomethingElse) {
  TrainingOptions options = usual();
  options.minimumRate = 0;
  expectSays(warningOf(options, 0), "--lr");
  options = usual();
  options.warmup = 101;
  expectSays(warningOf(options), "never reaches its value, 0.001");
  options.warmup = 100;
  expectSays(warningOf(options), "only at the end");
  options = usual();
  options.minimumRate = 2e-3;
  expectSays(warningOf(options), "--min-lr 0.002 is above");
  options.minimumRate = 1e-4;
  options.schedule = Schedule::Kind::Constant;
  expectSays(warningOf(options), "no effect with a constant");
  expectSays(warningOf(with("weight_decay", 0), 100), "very large for AdamW");
  expectSays(warningOf(with("max_grad_norm", 1e-30)), "--clip");
  // 1000 times 1e-3: nothing is left of a matrix after one step.
  expectSays(warningOf(with("weight_decay", 1000)),
             "takes 100 % of every matrix in each step");
}
