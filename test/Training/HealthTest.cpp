// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Health.h"
#include "TestFiles.h"
#include "artifact/Description.h"
#include "training/GoodCheckpoints.h"
#include "training/Provenance.h"
#include "training/Watch.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tert::training;
using tert::session::Description;

namespace {
/// The step, from 1, at which the loss is first far from its best; 0: never.
size_t farAt(const std::vector<double> &losses) {
  Divergence divergence;
  for (size_t i = 0; i < losses.size(); ++i) {
    divergence.add(losses[i]);
    if (divergence.isFar())
      return i + 1;
  }
  return 0;
}

std::vector<double> joined(std::vector<double> first,
                           const std::vector<double> &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const std::vector<double> learning = [] {
  std::vector<double> losses;
  for (int i = 0; i < 100; ++i)
    losses.push_back(3 + 7.8 * std::exp(-i / 10.0) + 0.2 * std::sin(i));
  return losses;
}();
} // namespace

TEST(Divergence, RunsThatLearnAreLeftAlone) {
  EXPECT_EQ(farAt(learning), 0u);
  // Near zero, and below it.
  std::vector<double> small, negative;
  for (int i = 0; i < 100; ++i) {
    small.push_back(10 * std::exp(-i) + (i % 20 > 9 ? 0.05 : 0.001));
    negative.push_back(-5 - 0.01 * i + std::sin(i));
  }
  EXPECT_EQ(farAt(small), 0u);
  EXPECT_EQ(farAt(negative), 0u);
  // Bad batches, as long as they are few, and losses that are not finite.
  EXPECT_EQ(farAt(joined(joined(learning, {1e9, 1e9, 1e9, 1e9, NAN, HUGE_VAL}),
                         std::vector<double>(20, 3.0))),
            0u);
}

TEST(Divergence, ExplosionsAreSeen) {
  // In the middle: once more than half of ten losses are far.
  EXPECT_EQ(farAt(joined(learning, std::vector<double>(10, 7.6))), 105u);
  // From the beginning.
  std::vector<double> losses = {10.8};
  for (int i = 0; i < 20; ++i)
    losses.push_back(4000);
  EXPECT_EQ(farAt(losses), 10u);
}

// An explosion is known six losses after it: what was saved meanwhile is of it.
TEST(GoodCheckpoints, LaterStepsShowThem) {
  Divergence divergence;
  GoodCheckpoints good;
  uint64_t step = 0;
  auto train = [&](double loss, bool saves) {
    divergence.add(loss);
    good.stepped(divergence);
    ++step;
    if (saves)
      good.saved(step, divergence);
  };
  for (int i = 0; i < 20; ++i)
    train(3, /*saves=*/i % 5 == 4);
  // Those of step 5 and 10 have had ten steps.
  ASSERT_TRUE(good.newest());
  EXPECT_EQ(good.newest()->step, 10u);
  EXPECT_EQ(good.newest()->loss, 3);
  EXPECT_EQ(good.protectedSteps(), (std::vector<uint64_t>{10, 15}));
  // From step 23 on the loss is far; five of the ten steps after 17 were not.
  for (int i = 0; i < 2; ++i)
    train(2.5, true);
  for (int i = 0; i < 40; ++i)
    train(90, true);
  EXPECT_TRUE(divergence.isFar());
  EXPECT_EQ(good.newest()->step, 15u);
  // It comes back, and what is saved then is good ten steps later.
  for (int i = 0; i < 20; ++i)
    train(2.5, true);
  EXPECT_FALSE(divergence.isFar());
  EXPECT_GE(good.newest()->step, 62u);
  EXPECT_EQ(good.newest()->loss, 2.5);
  // What has gone is not the newest any more.
  good.keepOnly({});
  EXPECT_FALSE(good.newest());
  EXPECT_TRUE(good.protectedSteps().empty());
}

TEST(GoodCheckpoints, TheRecordIsReadBackWhateverIsInIt) {
  test::TemporaryFolder folder;
  EXPECT_FALSE(readHealth(folder.path()).good);
  HealthRecord record;
  record.good = {40, 2.25};
  record.baseline = {5.5, 2.0};
  record.exploded = 57;
  ASSERT_FALSE(writeHealth(folder.path(), record));
  HealthRecord read = readHealth(folder.path());
  EXPECT_EQ(read.good->step, 40u);
  EXPECT_EQ(read.good->loss, 2.25);
  EXPECT_EQ(read.baseline->first, 5.5);
  EXPECT_EQ(read.baseline->lowest, 2.0);
  EXPECT_EQ(read.exploded, 57u);
  for (const char *text :
       {"", "[]", "{", "{\"good\": 3}", "{\"good\": {\"step\": -1}}",
        "{\"good\": {\"step\": 1}, \"first_loss\": 1}",
        "{\"good\": {\"step\": \"1\", \"loss\": 1e999}}"}) {
    test::writeText(folder / "health.json", text);
    EXPECT_FALSE(readHealth(folder.path()).good) << text;
    EXPECT_FALSE(readHealth(folder.path()).baseline) << text;
  }
}

// A continued run compares with what the run before it has shown.
TEST(Divergence, ABaselineIsContinued) {
  Divergence divergence;
  EXPECT_FALSE(divergence.baseline());
  divergence.setBaseline({5.0, 2.0});
  for (int i = 0; i < 9; ++i)
    divergence.add(80);
  EXPECT_FALSE(divergence.isFar());
  divergence.add(80);
  EXPECT_TRUE(divergence.isFar());
  EXPECT_EQ(divergence.best(), 2.0);
}

namespace {
Description withSlots() {
  Description description;
  description.slots = {{"a.input", TERT_F8E4M3}, {"a.grad", TERT_F8E5M2}};
  description.history = 1024;
  return description;
}

WatchOptions watching(double amaxJump, double saturation, double underflow,
                      uint64_t skipped) {
  WatchOptions options;
  options.amaxJump = amaxJump;
  options.saturation = saturation;
  options.underflow = underflow;
  options.zero = 0;
  options.skipped = skipped;
  return options;
}
} // namespace

TEST(Watch, JumpsAndClippedTensors) {
  Watch watch(watching(/*amaxJump=*/4, /*saturation=*/0.04, 0, /*skipped=*/2),
              withSlots());
  // A scale of 64 has room up to 448 / 64 = 7, and 57344 / 64 = 896, and
  // clipping up to a quarter more, 8.75, is usual.
  const std::vector<float> scales = {64, 64};
  EXPECT_TRUE(watch.update({1, 1}, scales, 0).empty());
  EXPECT_TRUE(watch.update({3.9f, 1}, scales, 0).empty());
  EXPECT_TRUE(watch.update({8.7f, 3.9f}, scales, 1).empty());
  // Beyond the room of the one, not of the other.
  EXPECT_TRUE(watch.update({8.8f, 8.8f}, scales, 0).empty());
  auto events = watch.update({8.8f, 36}, scales, 0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].what, "saturation");
  EXPECT_EQ(events[0].slot, "a.input");
  EXPECT_EQ(events[0].value, 2.0 / 50);
  EXPECT_NE(events[0].describe().find("--margin 1"), std::string::npos);
  EXPECT_NE(events[0].describe().find("--policy 'a=high'"), std::string::npos);
  EXPECT_EQ(events[1].what, "amax-jump");
  EXPECT_EQ(events[1].slot, "a.grad");
  EXPECT_NEAR(events[1].value, 36 / 8.8, 1e-6);
  EXPECT_NE(events[1].describe().find("the amax of a.grad is 4.09 times"),
            std::string::npos)
      << events[1].describe();
  // Told once as long as it lasts, and again when it comes again; what helps is
  // told once.
  EXPECT_TRUE(watch.update({9, 36}, scales, 0).empty());
  for (int i = 0; i < 60; ++i)
    EXPECT_TRUE(watch.update({1, 1}, scales, 0).empty());
  events = watch.update({1, 5}, scales, 2);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].remedy, "");
  EXPECT_TRUE(watch.update({1, 5}, scales, 3).empty());
}

TEST(Watch, TensorsOfWhichLittleIsLeft) {
  Watch watch(watching(0, 0, 0.1, 0), withSlots());
  // E4M3 rounds what is at most 2^-10 to 0, E5M2 what is at most 2^-17. With a
  // scale of 1 the hundredth part of an amax of 0.09 is below the one, of 0.1
  // not, and of 1e-3 it is above the other.
  const std::vector<float> scales = {1, 1};
  watch.update({1, 1}, scales, 0);
  for (int i = 0; i < 60; ++i)
    EXPECT_TRUE(watch.update({0.1f, 1e-3f}, scales, 0).empty());
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(watch.update({0.09f, 1e-3f}, scales, 0).empty());
  auto events = watch.update({0.09f, 1e-3f}, scales, 0);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].what, "underflow");
  EXPECT_EQ(events[0].slot, "a.input");
  EXPECT_EQ(events[0].value, 0.1);
  EXPECT_NE(events[0].describe().find("--amax-history 16"), std::string::npos);
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(watch.update({1, 7e-4f}, scales, 0).empty());
  EXPECT_EQ(watch.update({1, 7e-4f}, scales, 0).size(), 1u);
  // Nothing is lost of a tensor of zeros.
  for (int i = 0; i < 60; ++i)
    EXPECT_TRUE(watch.update({0, 0}, scales, 0).empty());
}

// Without a word of the user: half of the newest steps, and not what windows of
// few amaxes do in runs that learn.
TEST(Watch, BothAreWatchedByDefault) {
  Watch watch({}, withSlots());
  watch.update({1, 1}, {64, 1e-6f}, 0);
  for (int i = 0; i < 200; ++i)
    EXPECT_TRUE(watch.update({i % 3 ? 1.0f : 9.0f, 1e4f}, {64, 1}, 0).empty());
  size_t steps = 0;
  std::vector<WatchEvent> events;
  for (; events.empty() && steps < 100; ++steps)
    events = watch.update({9, 100}, {64, 1e-6f}, 0);
  // 16 of 50 were clipped before.
  EXPECT_GE(steps, 9u);
  EXPECT_LE(steps, 14u);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].what, "saturation");
  for (events.clear(); events.empty() && steps < 100; ++steps)
    events = watch.update({1, 100}, {64, 1e-6f}, 0);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].what, "underflow");
  EXPECT_EQ(events[0].slot, "a.grad");
}

TEST(Watch, TensorsOfZeros) {
  WatchOptions options;
  options.zero = 0.1;
  Watch watch(options, withSlots());
  const std::vector<float> scales = {1, 1};
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(watch.update({0, 1}, scales, 0).empty());
  EXPECT_TRUE(watch.update({1, 1}, scales, 0).empty());
  auto events = watch.update({0, 1}, scales, 0);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].describe(),
            "a.input was zero in 10 % of the newest 50 steps (--watch "
            "zero=0.1). Nothing comes through: its layer is not used, or does "
            "not learn, in FP8 or not; see whether it does with --precision "
            "bf16");
  EXPECT_TRUE(watch.update({0, 1}, scales, 0).empty()) << "told once";
}

TEST(Watch, ALineForEachKind) {
  std::vector<WatchEvent> events;
  for (const char *slot : {"a", "b", "c", "d", "e", "f"})
    events.push_back({"zero", slot, 0.5, 0.5});
  events.insert(events.begin() + 1, {"amax-jump", "b", 9, 8});
  auto lines = describeEvents(events);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "a was zero in 50 % of the newest 50 steps (--watch "
                      "zero=0.5). Likewise b, c, d and 2 more");
  EXPECT_EQ(lines[1], "the amax of b is 9 times that of the step before "
                      "(--watch amax-jump=8)");
}

TEST(Watch, WhatIsSetToNothingIsNotWatched) {
  Watch watch(watching(0, 0, 0, 0), withSlots());
  for (float amax : {1.0f, 1e9f, 1.0f, 1e30f, 1e-30f})
    EXPECT_TRUE(watch.update({amax, amax}, {1, 1}, 9).empty());
}

TEST(Provenance, DifferencesAreNamed) {
  const std::string run =
      R"({"program":{"precision":"fp8","loss":{"reduction":"mean"}},"data":"5 bytes, 0a","weights":"w"})";
  EXPECT_EQ(provenanceChanges(run, run), "");
  EXPECT_EQ(provenanceChanges("", run), "");
  EXPECT_EQ(provenanceChanges(
                run,
                R"({"program":{"precision":"fp8","loss":{"reduction":"sum"}},)"
                R"("data":"5 bytes, 0b"})"),
            "\n  data: \"5 bytes, 0a\" before, \"5 bytes, 0b\" now"
            "\n  program.loss.reduction: \"mean\" before, \"sum\" now");
  EXPECT_EQ(provenanceChanges(
                run, R"({"program":{"precision":"fp8"},"data":"5 bytes, 0a",)"
                     R"("weights":"w"})"),
            "\n  program.loss.reduction: \"mean\" before, not there now");
  // A scalar that a flag sets is none of the program's, before or now.
  const std::string defaults =
      R"({"program":{"optimizer":{"scalars":{"beta1":0.9,"eps":1e-8}}}})";
  EXPECT_EQ(
      provenanceChanges(
          defaults, R"({"program":{"optimizer":{"scalars":{"eps":1e-8}}}})"),
      "");
  EXPECT_EQ(
      provenanceChanges(R"({"program":{"optimizer":{"scalars":{"eps":1e-7}}}})",
                        defaults),
      "\n  program.optimizer.scalars.eps: 1e-07 before, 1e-08 now");
  // Slots tell policies apart, unless they are of another mesh.
  const std::string all = R"({"program":{"policy":""}})";
  const std::string some = R"({"program":{"policy":"*mlp*=high"}})";
  EXPECT_EQ(provenanceChanges(all, some), "");
  EXPECT_EQ(provenanceChanges(all, some, /*comparesPolicies=*/true),
            "\n  program.policy: \"\" before, \"*mlp*=high\" now");
  EXPECT_EQ(provenanceChanges(R"({"program":{}})", some,
                              /*comparesPolicies=*/true),
            "");
}
