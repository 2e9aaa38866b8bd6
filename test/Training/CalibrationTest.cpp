// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Calibration.h"

#include "TestFiles.h"
#include "session/Program.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tert::session;
using namespace tert::training;
using namespace test;

namespace {
class Calibrate : public ::testing::Test {
protected:
  /// The toy with its train entry, and a batch.
  void open(const std::string &toy = "toy") {
    ProgramOptions program;
    program.artifact = toyPath(toy);
    std::vector<std::string> warnings;
    auto opened = openProgram(program, warnings);
    ASSERT_TRUE(opened) << opened.takeError().message();
    session = std::move(*opened);
    ASSERT_FALSE(initializeStates(*session, {}));
    auto entry = EntryCall::create(*session, "train");
    ASSERT_TRUE(entry);
    call.emplace(std::move(*entry));
    std::vector<int64_t> ids(64);
    for (size_t i = 0; i < ids.size(); ++i)
      ids[i] = static_cast<int64_t>(i * i % 128);
    ASSERT_FALSE(
        call->setInput(*call->description().find(
                           ArgumentDescription::Role::Input, "input_ids"),
                       ids.data()));
  }

  std::string state(const std::string &name) {
    const std::vector<StateDescription> &states = session->description().states;
    for (size_t i = 0; i < states.size(); ++i)
      if (states[i].name == name) {
        std::string bytes(states[i].type.bytes(), '\0');
        EXPECT_FALSE(session->readState(i, bytes.data(), bytes.size()));
        return bytes;
      }
    ADD_FAILURE() << name;
    return {};
  }
  std::vector<float> floats(const std::string &name) {
    std::string bytes = state(name);
    std::vector<float> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::string all() {
    std::string bytes;
    for (const StateDescription &description : session->description().states)
      bytes += state(description.name);
    return bytes;
  }
  void fill(const std::string &name, const std::string &bytes) {
    const std::vector<StateDescription> &states = session->description().states;
    for (size_t i = 0; i < states.size(); ++i)
      if (states[i].name == name)
        EXPECT_FALSE(session->writeState(i, bytes.data(), bytes.size()));
  }

  std::unique_ptr<Session> session;
  std::optional<EntryCall> call;
};
} // namespace

TEST_F(Calibrate, OnlyScalesAndHistoriesChange) {
  ASSERT_NO_FATAL_FAILURE(open());
  ASSERT_TRUE(*hasFreshScales(*session, call->description()));
  // A negative zero and a moment: bits that a step of 0 would change.
  std::vector<float> weight = floats("bigram.weight");
  weight[5] = -0.0f;
  fill("bigram.weight", bytesOf(weight));
  std::vector<float> moment(weight.size(), 0.25f);
  fill("sgd.exp_avg.bigram.weight", bytesOf(moment));
  std::vector<std::string> before;
  const std::vector<std::string> kept = {"bigram.weight",
                                         "sgd.exp_avg.bigram.weight",
                                         "sgd.step", "fp8.nonfinite"};
  for (const std::string &name : kept)
    before.push_back(state(name));

  Expected<Calibration> calibration = calibrate(*session, *call);
  ASSERT_TRUE(calibration) << calibration.takeError().message();
  EXPECT_TRUE(calibration->settled);
  EXPECT_EQ(calibration->passes, 2u);
  for (size_t i = 0; i < kept.size(); ++i)
    EXPECT_EQ(state(kept[i]), before[i]) << kept[i];
  EXPECT_FALSE(*hasFreshScales(*session, call->description()));
  float amax = 0;
  for (float value : weight)
    amax = std::max(amax, std::fabs(value));
  EXPECT_EQ(floats("fp8.scale")[1], 448 / amax);
  // One row of amaxes, that of the last pass; the toy's first row is spare.
  std::vector<float> history = floats("fp8.amax_history");
  EXPECT_EQ(history[3 * 3 + 1], amax);
  EXPECT_EQ(history[2 * 3 + 1], 0);
}

// With a window of one amax nothing but the scales tells what was measured, and
// those of weights are there before the first step.
TEST_F(Calibrate, ScalesOfWeightsAloneAreFresh) {
  ASSERT_NO_FATAL_FAILURE(open("short_history"));
  EXPECT_TRUE(*hasFreshScales(*session, call->description()));
  fill("fp8.scale", bytesOf(std::vector<float>{1, 22400, 1}));
  EXPECT_TRUE(*hasFreshScales(*session, call->description()));
  ASSERT_TRUE(calibrate(*session, *call));
  EXPECT_FALSE(*hasFreshScales(*session, call->description()));
  // Measured, though one tensor's scale is 1.
  fill("fp8.scale", bytesOf(std::vector<float>{1, 22400, 64}));
  EXPECT_FALSE(*hasFreshScales(*session, call->description()));
}

// Those of a checkpoint, of which the third slot is that of gradients.
TEST_F(Calibrate, OnlyScalesOfGradientsChange) {
  ASSERT_NO_FATAL_FAILURE(open());
  ASSERT_TRUE(calibrate(*session, *call));
  const std::vector<float> scales = floats("fp8.scale"),
                           history = floats("fp8.amax_history");
  std::vector<float> old(history.size());
  for (size_t i = 0; i < old.size(); ++i)
    old[i] = i < 3 ? 0.0f : 1000.0f + static_cast<float>(i);
  fill("fp8.scale", bytesOf(std::vector<float>{0.5f, 0.25f, 0.125f}));
  fill("fp8.amax_history", bytesOf(old));
  const std::vector<std::string> others = {"bigram.weight", "derived.sum",
                                           "sgd.exp_avg.bigram.weight",
                                           "sgd.step", "fp8.nonfinite"};
  std::vector<std::string> before;
  for (const std::string &name : others)
    before.push_back(state(name));

  Expected<Calibration> calibration = calibrateGradients(*session, *call);
  ASSERT_TRUE(calibration) << calibration.takeError().message();
  for (size_t i = 0; i < others.size(); ++i)
    EXPECT_EQ(state(others[i]), before[i]) << others[i];
  EXPECT_EQ(floats("fp8.scale"), (std::vector<float>{0.5f, 0.25f, scales[2]}));
  const std::vector<float> now = floats("fp8.amax_history");
  for (size_t i = 0; i < now.size(); ++i)
    EXPECT_EQ(now[i], i % 3 == 2 ? history[i] : old[i]) << i;

  // What cannot be measured begins anew all the same.
  fill("fp8.scale", bytesOf(std::vector<float>{0.5f, 0.25f, 0.125f}));
  CalibrationSteps steps;
  steps.begin = [] { return Error("the data is gone"); };
  EXPECT_FALSE(calibrateGradients(*session, *call, steps));
  EXPECT_EQ(floats("fp8.scale"), (std::vector<float>{0.5f, 0.25f, 1.0f}));
  EXPECT_EQ(floats("fp8.amax_history")[5], 0.0f);
  EXPECT_EQ(floats("fp8.amax_history")[4], old[4]);
}

TEST_F(Calibrate, AProgramThatLearnsAllTheSameIsLeftAsItWas) {
  ASSERT_NO_FATAL_FAILURE(open("stubborn"));
  std::string before = all();
  Error error = calibrate(*session, *call).takeError();
  EXPECT_NE(error.message().find("changes parameters although"),
            std::string::npos)
      << error.message();
  EXPECT_TRUE(all() == before);
}

TEST_F(Calibrate, EachPassIsAStepAndAllRanksHaveToAgree) {
  ASSERT_NO_FATAL_FAILURE(open());
  size_t begun = 0;
  std::vector<bool> asked;
  CalibrationSteps steps;
  steps.begin = [&] {
    ++begun;
    return Error::success();
  };
  steps.onAllRanks = [&](bool own) -> Expected<bool> {
    asked.push_back(own);
    return false;
  };
  std::string before = all();
  Error error = calibrate(*session, *call, steps).takeError();
  EXPECT_NE(error.message().find("changes parameters"), std::string::npos);
  EXPECT_EQ(begun, 2u);
  EXPECT_EQ(asked, std::vector<bool>{true});
  EXPECT_TRUE(all() == before);

  steps.onAllRanks = [](bool own) -> Expected<bool> { return own; };
  EXPECT_EQ(calibrate(*session, *call, steps)->passes, 2u);
  steps.begin = [] { return Error("the data is gone"); };
  before = all();
  EXPECT_EQ(calibrate(*session, *call, steps).takeError().message(),
            "the data is gone");
  EXPECT_TRUE(all() == before);
}

TEST_F(Calibrate, OverflowsAreNotCountedTwice) {
  ASSERT_NO_FATAL_FAILURE(open());
  std::vector<float> weight(128 * 128, std::nanf(""));
  fill("bigram.weight", bytesOf(weight));
  std::string before = state("fp8.nonfinite");
  ASSERT_TRUE(calibrate(*session, *call));
  EXPECT_EQ(state("fp8.nonfinite"), before);
}

TEST_F(Calibrate, AnEntryThatMeasuresNothingSaysSo) {
  ASSERT_NO_FATAL_FAILURE(open());
  auto eval = EntryCall::create(*session, "eval");
  ASSERT_TRUE(eval);
  std::vector<int64_t> ids(64, 1);
  ASSERT_FALSE(eval->setInput(eval->description().arguments[0], ids.data()));
  std::string before = all();
  Error error = calibrate(*session, *eval).takeError();
  EXPECT_NE(error.message().find("measures no amaxes"), std::string::npos);
  EXPECT_TRUE(all() == before);
}
