// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Health.h"
#include "session/Description.h"
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

TEST(Watch, JumpsAndClippedTensors) {
  Description description;
  description.slots = {{"a.input", TERT_F8E4M3}, {"a.grad", TERT_F8E5M2}};
  Watch watch({/*amaxJump=*/4, /*saturation=*/0.04, /*skipped=*/2},
              description);
  // A scale of 64 has room up to 448 / 64 = 7, and 57344 / 64 = 896.
  const std::vector<float> scales = {64, 64};
  EXPECT_TRUE(watch.update({1, 1}, scales, 0).empty());
  EXPECT_TRUE(watch.update({3.9f, 1}, scales, 0).empty());
  EXPECT_TRUE(watch.update({7, 3.9f}, scales, 1).empty());
  // Beyond the room of the one, not of the other.
  EXPECT_TRUE(watch.update({7.1f, 7.1f}, scales, 0).empty());
  auto events = watch.update({7.1f, 29}, scales, 0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].what, "saturation");
  EXPECT_EQ(events[0].slot, "a.input");
  EXPECT_EQ(events[0].value, 2.0 / 50);
  EXPECT_EQ(events[1].what, "amax-jump");
  EXPECT_EQ(events[1].slot, "a.grad");
  EXPECT_NEAR(events[1].value, 29 / 7.1, 1e-6);
  EXPECT_NE(events[1].describe().find("the amax of a.grad is 4.08 times"),
            std::string::npos)
      << events[1].describe();
  // Told once as long as it lasts, and again when it comes again.
  EXPECT_TRUE(watch.update({8, 29}, scales, 0).empty());
  for (int i = 0; i < 60; ++i)
    EXPECT_TRUE(watch.update({1, 1}, scales, 0).empty());
  EXPECT_EQ(watch.update({1, 5}, scales, 2).size(), 2u);
  EXPECT_TRUE(watch.update({1, 5}, scales, 3).empty());
}

TEST(Watch, NothingIsWatchedUnlessAsked) {
  Description description;
  description.slots = {{"a.input", TERT_F8E4M3}};
  Watch watch({}, description);
  for (float amax : {1.0f, 1e9f, 1.0f, 1e30f})
    EXPECT_TRUE(watch.update({amax}, {1}, 9).empty());
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
  EXPECT_EQ(provenanceChanges(
                defaults,
                R"({"program":{"optimizer":{"scalars":{"eps":1e-8}}}})"),
            "");
  EXPECT_EQ(provenanceChanges(
                R"({"program":{"optimizer":{"scalars":{"eps":1e-7}}}})",
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
