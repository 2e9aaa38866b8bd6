// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training and evaluation with labels of every kind, and the data that holds
// them. What the losses are is in losses.test.

#include "Models.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace test;

namespace {
class Losses : public ::testing::Test {
protected:
  std::string model = inputPath("losses/encoder.onnx");

  Result compile(const std::string &logits,
                 const std::vector<std::string> &loss) {
    std::vector<std::string> arguments = {model,           "--logits",   logits,
                                          "--entry",       "train,eval", "-o",
                                          folder / "m.so", "--force"};
    arguments.insert(arguments.end(), loss.begin(), loss.end());
    return teCompile(arguments);
  }

  Result train(const std::string &data,
               const std::vector<std::string> &more = {},
               const std::string &steps = "40") {
    std::vector<std::string> arguments = {
        "train", folder / "m.so", "--data", data,        "--lr",
        "0.01",  "--steps",       steps,    "--metrics", folder / "log"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return teRun(arguments);
  }

  nlohmann::json evaluate(const std::string &data) {
    Result result = teRun({"eval", folder / "m.so", "--data", data, "--json"});
    EXPECT_EQ(result.code, 0) << result.error;
    return nlohmann::json::parse(result.out, nullptr, false);
  }

  std::vector<double> metrics() {
    std::vector<double> losses;
    std::ifstream stream(folder / "log");
    for (std::string line; std::getline(stream, line);)
      losses.push_back(nlohmann::json::parse(line)["loss"]);
    return losses;
  }

  TemporaryFolder folder;
};

double lossOf(const std::string &path) {
  return valuesOf(openTensors(path), "loss")[0];
}
} // namespace

// One batch, again and again: the first step's loss is PyTorch's, but for FP8,
// and the last one's much lower.
TEST_F(Losses, EveryKindLearns) {
  struct {
    std::string logits;
    std::vector<std::string> loss;
    std::string data, counts;
    int64_t count;
  } cases[] = {
      {"tokens", {"--loss", "masked-lm"}, "masked_lm", "labels", 0},
      {"tokens",
       {"--loss", "masked-lm", "--label-smoothing", "0.1"},
       "smoothed",
       "labels",
       0},
      {"sequences",
       {"--loss", "classification", "--label-smoothing", "0.2"},
       "sequence_classes",
       "labels",
       3},
      {"sequences", {"--loss", "mse"}, "mse", "values", 12},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.data);
    const std::string data = inputPath("losses/" + c.data + ".safetensors");
    const double reference = lossOf(data);
    ASSERT_SUCCEEDS(compile(c.logits, c.loss));
    ASSERT_SUCCEEDS(train(data));
    std::vector<double> losses = metrics();
    ASSERT_EQ(losses.size(), 40u);
    EXPECT_NEAR(losses.front(), reference, 0.03 * reference);
    EXPECT_LE(losses.back(), 0.7 * losses.front());

    nlohmann::json result = evaluate(data);
    EXPECT_NEAR(result["loss"], reference, 0.03 * reference);
    EXPECT_EQ(result["batches"], 1);
    ASSERT_TRUE(result.contains(c.counts)) << result.dump();
    if (c.count)
      EXPECT_EQ(result[c.counts], c.count);
  }
}

// A stream of tokens has none of these labels: it would hold the next tokens.
TEST_F(Losses, TokensAreNoAnnotations) {
  writeText(folder / "text", std::string(500, 'a'));
  ASSERT_SUCCEEDS(compile("tokens", {"--loss", "masked-lm"}));
  Result result = train(folder / "text");
  EXPECT_NE(result.code, 0);
  EXPECT_NE(result.error.find("which the loss masked-lm does not find in a "
                              "stream of tokens"),
            std::string::npos)
      << result.error;
  EXPECT_NE(result.error.find(".safetensors"), std::string::npos);
}

// Labels of floats are floats in the data, of the output's shape.
TEST_F(Losses, DataThatDoesNotFit) {
  ASSERT_SUCCEEDS(compile("sequences", {"--loss", "mse"}));
  Result integers = train(inputPath("losses/sequence_classes.safetensors"));
  EXPECT_NE(integers.code, 0);
  EXPECT_NE(integers.error.find("labels: I64 cannot stand for f32"),
            std::string::npos)
      << integers.error;
  ASSERT_SUCCEEDS(compile("sequences", {"--loss", "classification"}));
  Result floats = train(inputPath("losses/mse.safetensors"));
  EXPECT_NE(floats.code, 0);
  EXPECT_NE(floats.error.find("labels: F32 cannot stand for i64"),
            std::string::npos)
      << floats.error;
}

// A training goes on with the loss that it began with.
TEST_F(Losses, CheckpointsOfAnotherLossAreRefused) {
  const std::string data = inputPath("losses/smoothed.safetensors");
  const std::vector<std::string> run = {"--checkpoint", folder / "run"};
  ASSERT_SUCCEEDS(compile("tokens", {"--loss", "masked-lm"}));
  ASSERT_SUCCEEDS(train(data, run));
  ASSERT_SUCCEEDS(
      compile("tokens", {"--loss", "masked-lm", "--label-smoothing", "0.1"}));
  std::vector<std::string> resume = {"--checkpoint", folder / "run",
                                     "--resume"};
  Result result = train(data, resume, "41");
  EXPECT_NE(result.code, 0);
  EXPECT_NE(
      result.error.find("program.loss.label_smoothing: not there before, 0.1"),
      std::string::npos)
      << result.error;
  ASSERT_SUCCEEDS(
      compile("tokens", {"--loss", "masked-lm", "--z-loss", "1e-4"}));
  result = train(data, resume, "41");
  EXPECT_NE(result.error.find("program.loss.z_loss"), std::string::npos)
      << result.error;
}

// Random labels are classes, however few of them there are: here 128.
TEST_F(Losses, RandomInputsHaveLabels) {
  model = TE_SOURCE_DIR "/test/Tools/te-compile/Inputs/two_layers.mlir";
  for (const char *loss : {"classification", "mse"}) {
    ASSERT_SUCCEEDS(compile("k", {"--loss", loss, "--init", "normal:0.02"}));
    ASSERT_SUCCEEDS(teRun({"bench", folder / "m.so", "--entry", "train",
                           "--warmup", "2", "--iterations", "1"}));
  }
}

// What a number is the mean of, and whether its exponential means something.
TEST_F(Losses, EvaluationSaysWhatItCounts) {
  auto text = [&](const std::string &data) {
    Result result = teRun({"eval", folder / "m.so", "--data",
                           inputPath("losses/" + data + ".safetensors")});
    EXPECT_EQ(result.code, 0) << result.error;
    return result.out;
  };
  ASSERT_SUCCEEDS(compile("sequences", {"--loss", "mse"}));
  std::string mse = text("mse");
  EXPECT_NE(mse.find("over 12 values in 1 batches"), std::string::npos) << mse;
  EXPECT_EQ(mse.find("perplexity"), std::string::npos) << mse;
  ASSERT_SUCCEEDS(compile("sequences", {"--loss", "classification"}));
  std::string classes = text("sequence_classes");
  EXPECT_NE(classes.find("accuracy"), std::string::npos) << classes;
  EXPECT_EQ(classes.find("perplexity"), std::string::npos) << classes;
  EXPECT_NE(classes.find("over 3 labels in 1 batches"), std::string::npos)
      << classes;
  ASSERT_SUCCEEDS(
      teCompile({inputPath("losses/own_bert.onnx"), "--loss", "output:loss",
                 "--entry", "eval", "-o", folder / "m.so", "--force"}));
  std::string own = text("own_bert");
  EXPECT_NE(own.find(", over 1 batches"), std::string::npos) << own;
  EXPECT_EQ(own.find("perplexity"), std::string::npos) << own;
}
