// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/GradientUnit.h"

#include "TestFiles.h"
#include "session/Program.h"
#include "training/TrainingOptions.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace tert::training;
using namespace test;

namespace {
/// The toy's: 4 rows of 16 tokens, and a slot of gradients.
Description toy() {
  ProgramOptions program;
  program.artifact = toyPath("toy");
  std::vector<std::string> warnings;
  auto session = openProgram(program, warnings);
  EXPECT_TRUE(session);
  return (*session)->description();
}

std::string unitOf(const Description &description,
                   const std::string &entry = "train") {
  return gradientUnit(description, *description.findEntry(entry));
}
} // namespace

TEST(GradientUnit, OfAnEntry) {
  const Description plain = toy();
  EXPECT_EQ(unitOf(plain), "mean of 64");
  // A caller's cotangents may be anything, and a forward pass has none.
  EXPECT_EQ(unitOf(plain, "vjp"), "");
  EXPECT_EQ(unitOf(plain, "eval"), "");

  Description ranks = plain;
  ranks.mesh.axes = {{"dp", 1}};
  EXPECT_EQ(unitOf(ranks), "sum");
  Description microbatches = plain;
  microbatches.entries.push_back(*plain.findEntry("train"));
  microbatches.entries.back().name = "accumulate";
  EXPECT_EQ(unitOf(microbatches), "sum");
  EXPECT_EQ(unitOf(microbatches, "accumulate"), "sum");
  // A call returns the gradients of the mean whatever steps have.
  microbatches.entries.push_back(*plain.findEntry("train"));
  microbatches.entries.back().name = "grad";
  EXPECT_EQ(unitOf(microbatches, "grad"), "mean of 64");

  // Of these losses there is one unit.
  for (const char *loss :
       {R"({"kind": "causal-lm", "reduction": "sum"})",
        R"({"kind": "output", "reduction": "mean", "counts": "batches"})"}) {
    Description other = ranks;
    other.loss = loss;
    EXPECT_EQ(unitOf(other), "") << loss;
  }
  Description noGradients = plain;
  noGradients.slots.pop_back();
  EXPECT_EQ(unitOf(noGradients), "");
  Description constant = plain;
  for (StateDescription &state : constant.states)
    if (state.kind == "fp8_amax_history")
      state.kind = "other";
  EXPECT_EQ(unitOf(constant), "");
}

TEST(GradientUnit, WhereTheyDiffer) {
  CheckpointInfo info;
  info.gradients = "mean of 64";
  EXPECT_EQ(differentUnit(info, "mean of 64"), "");
  EXPECT_EQ(differentUnit(info, ""), "");
  EXPECT_EQ(differentUnit(info, "sum"),
            "those of the checkpoint are of the mean of the loss over 64 "
            "tokens, this program's of the sum of the loss");
  EXPECT_NE(differentUnit(info, "mean of 128"), "");
  info.gradients = "sum";
  EXPECT_EQ(differentUnit(info, "sum"), "");
  EXPECT_NE(differentUnit(info, "mean of 64"), "");
}

TEST(GradientUnit, OlderCheckpointsDoNotSay) {
  TrainingOptions options;
  options.accumulate = 1;
  CheckpointInfo info;
  info.run = settingsAsJson(options, 0.1);
  EXPECT_EQ(differentUnit(info, "mean of 64"), "");
  EXPECT_EQ(differentUnit(info, "sum"),
            "those of the checkpoint are of the mean of the loss, this "
            "program's of the sum of the loss");
  auto isSum = [&] {
    return differentUnit(info, "sum").empty() &&
           !differentUnit(info, "mean of 64").empty();
  };
  info.run = settingsAsJson(options, 0.1, /*shares=*/2);
  EXPECT_TRUE(isSum());
  options.accumulate = 3;
  info.run = settingsAsJson(options, 0.1);
  EXPECT_TRUE(isSum());
  info.run = "not JSON";
  EXPECT_FALSE(isSum());
  info.isShardedCheckpoint = true;
  EXPECT_TRUE(isSum());
}
