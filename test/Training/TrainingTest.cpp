// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training loop as a program that embeds it sees it.

#include "training/Training.h"
#include "TestFiles.h"
#include "session/Program.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tert::session;
using namespace tert::training;
using namespace test;

namespace {
/// Keeps what it hears, and asks for a stop after some step.
struct Listener : Observer {
  void warning(const std::string &text) override { warnings.push_back(text); }
  void begins(const Beginning &now) override { beginning = now; }
  void stepped(const StepMetrics &step) override { steps.push_back(step); }
  bool stopRequested() override { return steps.back().step == stopAt; }

  uint64_t stopAt = 0;
  std::vector<std::string> warnings;
  Beginning beginning;
  std::vector<StepMetrics> steps;
};

class Loop : public ::testing::Test {
protected:
  Loop() {
    std::string text(3000, ' ');
    for (size_t i = 0; i < text.size(); ++i)
      text[i] = static_cast<char>('a' + i * i % 26);
    writeText(folder / "text", text);
    options.data = folder / "text";
    options.steps = 6;
  }

  void open(const std::string &toy = "toy") {
    ProgramOptions program;
    program.artifact = toyPath(toy);
    std::vector<std::string> warnings;
    auto opened = openProgram(program, warnings);
    ASSERT_TRUE(opened) << opened.takeError().message();
    EXPECT_TRUE(warnings.empty());
    session = std::move(*opened);
  }

  Expected<Outcome> train() {
    auto training = Training::create(*session, options, listener);
    if (!training)
      return training.takeError();
    return (*training)->run();
  }

  TemporaryFolder folder;
  TrainingOptions options;
  Listener listener;
  std::unique_ptr<Session> session;
};
} // namespace

TEST_F(Loop, TellsTheObserverAndTheCaller) {
  open();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Expected<Outcome> outcome = train();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(listener.beginning.steps, 6u);
  EXPECT_NE(listener.beginning.data.find("4 windows of 16"), std::string::npos);
  ASSERT_EQ(listener.steps.size(), 6u);
  EXPECT_NEAR(listener.steps[0].loss, std::log(128.0), 0.05);
  double sum = 0;
  for (const StepMetrics &step : listener.steps)
    sum += step.loss;
  EXPECT_EQ(outcome->first, 0u);
  EXPECT_EQ(outcome->last, 6u);
  EXPECT_EQ(outcome->loss, listener.steps[5].loss);
  EXPECT_DOUBLE_EQ(outcome->meanLoss, sum / 6);
  EXPECT_EQ(outcome->meanOver, 6u);
  EXPECT_TRUE(outcome->failures.empty());
  EXPECT_TRUE(outcome->checkpoint.empty());
}

TEST_F(Loop, StopsWhenAskedAndContinues) {
  open();
  options.checkpoints = folder / "run";
  listener.stopAt = 4;
  Expected<Outcome> stopped = train();
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->stopped);
  EXPECT_EQ(stopped->last, 4u);
  EXPECT_EQ(stopped->checkpointStep, 4u);
  EXPECT_TRUE(std::filesystem::exists(stopped->checkpoint));

  open();
  options.resume = true;
  listener = {};
  Expected<Outcome> rest = train();
  ASSERT_TRUE(rest);
  EXPECT_EQ(listener.beginning.firstStep, 4u);
  EXPECT_FALSE(rest->stopped);
  EXPECT_EQ(rest->last, 6u);
}

TEST_F(Loop, SaysWhatFailed) {
  open("small_vocabulary");
  Expected<Outcome> outcome = train();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->broken);
  ASSERT_EQ(outcome->failures.size(), 1u);
  EXPECT_NE(outcome->failures[0].message().find("token id"), std::string::npos);

  open();
  options.scalars = {{"momentum", "--momentum", 0.9}};
  Error error = train().takeError();
  EXPECT_NE(error.message().find("no scalar 'momentum', so --momentum"),
            std::string::npos);
}
