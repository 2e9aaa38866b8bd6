// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Evaluation.h"

#include "TestFiles.h"
#include "session/Program.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tert::session;
using namespace tert::training;
using namespace test;

namespace {
class Evaluate : public ::testing::Test {
protected:
  Evaluate() {
    ProgramOptions program;
    program.artifact = toyPath("toy");
    std::vector<std::string> warnings;
    auto opened = openProgram(program, warnings);
    EXPECT_TRUE(opened);
    session = std::move(*opened);
    EXPECT_FALSE(initializeStates(*session, {"", 4}));
    weight.resize(128 * 128);
    EXPECT_FALSE(session->readState(0, weight.data(), weight.size() * 4));
  }

  Expected<EvaluationResult> run(uint64_t batches = 0) {
    auto evaluation =
        Evaluation::create(*session, {folder / "text", {}, batches});
    if (!evaluation)
      return evaluation.takeError();
    Ranks alone(nullptr, session->description().mesh);
    return evaluation->run(alone);
  }

  /// Of the token after a token, by the bigram table.
  double loss(char token, char next) const {
    const float *row = &weight[static_cast<size_t>(token) * 128];
    double sum = 0;
    for (int i = 0; i < 128; ++i)
      sum += std::exp(static_cast<double>(row[i]));
    return std::log(sum) - row[static_cast<size_t>(next)];
  }

  TemporaryFolder folder;
  std::unique_ptr<Session> session;
  std::vector<float> weight;
};
} // namespace

// Batches are 4 windows of 16, side by side; the toy predicts within a window
// and does not count labels that are 0.
TEST_F(Evaluate, IsTheMeanOverTheLabelsOfAllBatches) {
  std::string text(3 * 64 + 20, 'a');
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = static_cast<char>(1 + i * i % 120);
  // The batches count differently many labels.
  for (size_t i = 64; i < 120; i += 2)
    text[i] = 0;
  writeText(folder / "text", text);
  auto expect = [&](uint64_t batches, uint64_t windows) {
    double sum = 0;
    uint64_t count = 0;
    for (size_t i = 0; i + 1 < windows * 16; ++i)
      if ((i + 1) % 16 != 0 && text[i + 1] != 0) {
        sum += loss(text[i], text[i + 1]);
        ++count;
      }
    Expected<EvaluationResult> result = run(batches);
    ASSERT_TRUE(result) << result.takeError().message();
    EXPECT_EQ(result->labels, count);
    EXPECT_EQ(result->batches, windows / 4);
    EXPECT_NEAR(result->loss, sum / static_cast<double>(count), 1e-5);
  };
  expect(0, 12);
  expect(2, 8);
  expect(100, 12);
}

TEST_F(Evaluate, WithoutALabelThereIsNoLoss) {
  writeText(folder / "text", std::string(64, '\0'));
  Expected<EvaluationResult> result = run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->labels, 0u);
  EXPECT_TRUE(std::isnan(result->loss));
}

TEST_F(Evaluate, DataOrProgramsThatDoNotDo) {
  writeText(folder / "text", std::string(63, 'a'));
  EXPECT_NE(run().takeError().message().find("63 tokens, fewer than a batch"),
            std::string::npos);
  auto opened = Artifact::open(toyPath("small_forward"));
  ASSERT_TRUE(opened);
  auto other = Session::create(std::move(*opened), {});
  ASSERT_TRUE(other);
  EXPECT_NE(Evaluation::create(**other, {folder / "text", {}, 0})
                .takeError()
                .message()
                .find("te-compile --entry train,eval"),
            std::string::npos);
}
