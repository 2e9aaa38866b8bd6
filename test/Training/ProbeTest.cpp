// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --watch says of probes.

#include "training/Probe.h"
#include "training/Watch.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tert::session;
using namespace tert::training;

namespace {
Description program(const std::string &options = "{}") {
  Description description;
  description.source = "gpt.onnx";
  description.options = options;
  description.slots = {{"a.input", TERT_F8E4M3}, {"b.input", TERT_F8E4M3}};
  return description;
}

/// Two layers that FP8 does no harm, at a loss of 2.
ProbeResult sound() {
  ProbeResult probe;
  probe.loss = 2;
  probe.gap = 0.019;
  for (const char *layer : {"a", "b"}) {
    probe.products.push_back({layer, "fprop", 0.0099, 0.03});
    probe.products.push_back({layer, "wgrad", 0, 0.25});
    probe.slots.push_back({layer, std::string(layer) + ".input", 1, 0.5});
  }
  return probe;
}
} // namespace

TEST(ProbeWatch, LimitsAreCrossedFromAbove) {
  Watch watch({}, program());
  EXPECT_TRUE(watch.judge(sound()).empty());
  ProbeResult probe = sound();
  probe.products[0].secondOrder = 0.0101; // 0.505 % of 2
  probe.products[3].relativeError = 0.26;
  probe.slots[1].flushed = 0.51;
  probe.gap = 0.0201;
  std::vector<WatchEvent> events = watch.judge(probe);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].what, "adds");
  EXPECT_EQ(events[0].layer, "a");
  EXPECT_DOUBLE_EQ(events[0].value, 0.00505);
  EXPECT_EQ(events[1].what, "error");
  EXPECT_EQ(events[1].layer, "b");
  EXPECT_EQ(events[1].product, "wgrad");
  EXPECT_EQ(events[2].what, "flushed");
  EXPECT_EQ(events[2].slot, "b.input");
  EXPECT_EQ(events[2].layer, "b");
  EXPECT_EQ(events[3].what, "gap");
  EXPECT_DOUBLE_EQ(events[3].value, 0.01005);
  EXPECT_EQ(events[3].layer, "a"); // It adds most.
  // A layer is told once.
  const std::vector<std::string> lines = describeEvents(events);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "FP8 in a is estimated to add 0.51 % to the loss (--watch "
            "adds=0.005). Keep the layer out of FP8 (te-compile "
            "gpt.onnx ... --policy 'a=high', then te-run train "
            "--resume --allow-changes)");
  EXPECT_EQ(lines[1], "wgrad of b has a relative error of 26 % in FP8 (--watch "
                      "error=0.25). Keep the product out of FP8 (te-compile "
                      "gpt.onnx ... --policy 'b/wgrad=high', then te-run train "
                      "--resume --allow-changes)");
  EXPECT_EQ(lines[2],
            "the loss in FP8 is 1 % above that in bf16 at the same parameters "
            "and data; of all layers a is estimated to add most to it (--watch "
            "gap=0.01). Keep the layer out of FP8 (te-compile gpt.onnx ... "
            "--policy 'a=high', then te-run train --resume --allow-changes)");
}

TEST(ProbeWatch, AnEventIsToldWhenItComesAndWhenItComesAgain) {
  Watch watch({}, program());
  ProbeResult bad = sound();
  bad.slots[0].flushed = 0.9;
  EXPECT_EQ(watch.judge(bad).size(), 1u);
  EXPECT_TRUE(watch.judge(bad).empty());
  bad.slots[1].flushed = 0.8;
  std::vector<WatchEvent> events = watch.judge(bad);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].slot, "b.input");
  // What helps has been told.
  EXPECT_EQ(events[0].describe(),
            "80 % of what is not 0 in b.input is 0 in FP8 (--watch "
            "flushed=0.5)");
  EXPECT_TRUE(watch.judge(sound()).empty());
  EXPECT_EQ(watch.judge(bad).size(), 2u);
}

TEST(ProbeWatch, TheWorstOfAKindIsToldAndOthersAreNamed) {
  Watch watch({}, program(R"({"policy": "c=high"})"));
  ProbeResult probe = sound();
  probe.products[0].secondOrder = 0.1;
  probe.products[2].secondOrder = std::numeric_limits<double>::infinity();
  const std::vector<std::string> lines = describeEvents(watch.judge(probe));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "b overflows in FP8 (--watch adds=0.005). Keep the layer "
                      "out of FP8 (te-compile gpt.onnx ... --policy "
                      "'c=high,b=high', then te-run train --resume "
                      "--allow-changes). Likewise a");
}

TEST(ProbeWatch, RulesInAFileAreAddedToIt) {
  Watch watch({}, program(R"({"policy": "@rules.txt"})"));
  ProbeResult probe = sound();
  probe.slots[0].flushed = 1;
  const std::vector<std::string> lines = describeEvents(watch.judge(probe));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("(add 'a=high' to rules.txt and compile again, then"),
            std::string::npos)
      << lines[0];
}

TEST(ProbeWatch, WhatIsSetToNothingIsNotWatched) {
  WatchOptions options;
  options.adds = options.error = options.flushed = options.gap = 0;
  Watch watch(options, program());
  ProbeResult probe = sound();
  probe.products[0].secondOrder = probe.products[1].relativeError = probe.gap =
      100;
  probe.slots[0].flushed = 1;
  EXPECT_TRUE(watch.judge(probe).empty());
}

// Probes of other data have no gap, and programs without FP8 no layers.
TEST(ProbeWatch, WhatIsNotMeasuredIsNoEvent) {
  Watch watch({}, program());
  ProbeResult probe;
  probe.loss = 2;
  EXPECT_TRUE(watch.judge(probe).empty());
  probe.gap = 1;
  std::vector<WatchEvent> events = watch.judge(probe);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].describe(), "the loss in FP8 is 50 % above that in bf16 "
                                  "at the same parameters and data (--watch "
                                  "gap=0.01)");
}
