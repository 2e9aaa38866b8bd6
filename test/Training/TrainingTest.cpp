// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training loop as a program that embeds it sees it.

#include "training/Training.h"
#include "TestFiles.h"
#include "checkpoint/Checkpoint.h"
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
  void calibrated(const Calibration &) override { ++calibrations; }
  void stepped(const StepMetrics &step) override { steps.push_back(step); }
  bool stopRequested() override { return steps.back().step == stopAt; }

  uint64_t stopAt = 0;
  int calibrations = 0;
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

  open();
  options.scalars = {{"dropout_seed", "--scalar dropout_seed=3", 3}};
  error = train().takeError();
  EXPECT_EQ(error.message().find("--scalar dropout_seed=3: every step"), 0u);
  EXPECT_NE(error.message().find("choose --seed"), std::string::npos);
}

TEST_F(Loop, CalibratesOnceAndOnlyScales) {
  // The toy computes nothing with its scales: the same losses with and without.
  open();
  Expected<Outcome> with = train();
  ASSERT_TRUE(with);
  EXPECT_EQ(listener.calibrations, 1);
  std::vector<StepMetrics> steps = listener.steps;
  open();
  listener = {};
  options.calibrate = false;
  ASSERT_TRUE(train());
  EXPECT_EQ(listener.calibrations, 0);
  ASSERT_EQ(listener.steps.size(), steps.size());
  for (size_t i = 0; i < steps.size(); ++i)
    EXPECT_EQ(listener.steps[i].loss, steps[i].loss);

  options.calibrate = true;
  options.checkpoints = folder / "run";
  listener = {};
  listener.stopAt = 3;
  open();
  ASSERT_TRUE(train());
  EXPECT_EQ(listener.calibrations, 1);
  Expected<TensorFiles> checkpoint =
      openCheckpoint(folder / "run/step-00000003.safetensors");
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(infoOf(*checkpoint)->gradients, "mean of 64");
  options.resume = true;
  listener = {};
  open();
  ASSERT_TRUE(train());
  EXPECT_EQ(listener.calibrations, 0);

  // A program that cannot be calibrated trains with a warning.
  options = {};
  options.data = folder / "text";
  options.steps = 1;
  open("stubborn");
  Expected<Outcome> stubborn = train();
  ASSERT_TRUE(stubborn);
  EXPECT_EQ(stubborn->last, 1u);
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_NE(listener.warnings[0].find("scales start as 1"), std::string::npos);
}

TEST_F(Loop, EvaluatesAndKeepsTheBest) {
  // What is learned from the text is wrong for the other one, so that the loss
  // there rises after a while.
  options.steps = 60;
  options.scalars = {{"learning_rate", "--lr", 4}};
  std::string other(640, 'a');
  for (size_t i = 0; i < other.size(); ++i)
    other[i] = static_cast<char>('a' + (i % 3 ? i * i % 26 : i % 26));
  writeText(folder / "other", other);
  options.evaluation.data = folder / "other";
  options.evalEvery = 4;
  options.checkpoints = folder / "run";
  options.metrics = folder / "log";
  open();
  Expected<Outcome> outcome = train();
  ASSERT_TRUE(outcome);
  double best = HUGE_VAL;
  uint64_t bestStep = 0;
  for (const StepMetrics &step : listener.steps) {
    EXPECT_EQ(std::isfinite(step.evalLoss), step.step % 4 == 0) << step.step;
    if (step.evalLoss < best) {
      best = step.evalLoss;
      bestStep = step.step;
    }
  }
  EXPECT_EQ(outcome->bestEvalLoss, best);
  EXPECT_EQ(outcome->bestStep, bestStep);
  EXPECT_LT(bestStep, 60u);
  EXPECT_EQ(outcome->evalStep, 60u);
  EXPECT_EQ(outcome->evalLoss, listener.steps.back().evalLoss);
  EXPECT_EQ(outcome->bestCheckpoint, folder / "run/best.safetensors");
  EXPECT_NE(readText(folder / "log").find("\"eval_loss\":"), std::string::npos);

  // The states in it give that loss.
  open();
  Expected<CheckpointInfo> info =
      loadCheckpoint(*session, outcome->bestCheckpoint);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->step, bestStep);
  EXPECT_EQ(info->evalLoss, best);
  { // Calls end before their session.
    auto evaluation = Evaluation::create(*session, options.evaluation);
    ASSERT_TRUE(evaluation);
    Ranks alone(nullptr, session->description().mesh);
    EXPECT_EQ(evaluation->run(alone)->loss, best);
  }

  // A continuation knows what to beat.
  options.resume = true;
  options.steps = 64;
  listener = {};
  open();
  Expected<Outcome> more = train();
  ASSERT_TRUE(more);
  EXPECT_EQ(more->bestStep, bestStep);
}

TEST_F(Loop, EvaluationChangesNothing) {
  open();
  ASSERT_TRUE(train());
  std::vector<StepMetrics> steps = listener.steps;
  listener = {};
  options.evaluation.data = folder / "text";
  options.evalEvery = 2;
  open();
  ASSERT_TRUE(train());
  for (size_t i = 0; i < steps.size(); ++i)
    EXPECT_EQ(listener.steps[i].loss, steps[i].loss);
}
