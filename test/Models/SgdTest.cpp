// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that is trained with another optimizer than the default: its first
// step against PyTorch's gradients, and a training in FP8.

#include "Models.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace test;
using tert::session::SafetensorsFile;

namespace {
class Sgd : public ::testing::Test {
protected:
  void train(const std::string &precision, const std::string &optimizer,
             const std::vector<std::string> &more) {
    ASSERT_SUCCEEDS(
        teCompile({model, "--loss=cross-entropy", "--precision=" + precision,
                   "--optimizer=" + optimizer, "-o", folder / "gpt2.so"}));
    std::vector<std::string> arguments = {"train",        folder / "gpt2.so",
                                          "--data",       referencePath,
                                          "--checkpoint", folder / "run",
                                          "--metrics",    folder / "log",
                                          "--clip",       "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ASSERT_SUCCEEDS(teRun(arguments));
  }

  std::vector<double> losses() {
    std::ifstream log(folder / "log");
    std::vector<double> result;
    for (std::string line; std::getline(log, line);)
      result.push_back(nlohmann::json::parse(line).at("loss"));
    return result;
  }

  std::string model = inputPath("gpt2_vocab509/model.onnx");
  std::string referencePath = inputPath("gpt2_vocab509/reference.safetensors");
  TemporaryFolder folder;
};
} // namespace

// In the first step the buffer is the gradient, and Nesterov's step 1 +
// momentum of it; matrices of linears decay, and that goes through the
// gradient.
TEST_F(Sgd, FirstStepIsPyTorchsGradient) {
  ASSERT_NO_FATAL_FAILURE(train("f32", "sgd<nesterov = true>",
                                {"--steps", "1", "--lr", "0.1", "--momentum",
                                 "0.8", "--weight-decay", "0"}));
  SafetensorsFile before = openTensors(folder / "gpt2.so.weights.safetensors");
  SafetensorsFile after = openTensors(folder / "run/step-00000001.safetensors");
  SafetensorsFile reference = openTensors(referencePath);
  int compared = 0;
  for (const auto &[name, view] : reference.tensors()) {
    if (name.rfind("grad.", 0) != 0)
      continue;
    const std::string parameter = name.substr(5);
    std::vector<double> gradient = valuesOf(reference, name);
    EXPECT_LE(relativeError(valuesOf(after, "sgd.momentum_buffer." + parameter),
                            gradient),
              1e-5)
        << parameter;
    std::vector<double> step = valuesOf(before, parameter);
    std::vector<double> updated = valuesOf(after, parameter);
    ASSERT_EQ(step.size(), updated.size());
    double moved = 0;
    for (size_t i = 0; i < step.size(); ++i) {
      moved = std::max(moved, std::abs(updated[i] - step[i]));
      EXPECT_NEAR(updated[i], step[i] - 0.1 * 1.8 * gradient[i],
                  1e-6 * (std::abs(step[i]) + 0.1))
          << parameter;
    }
    EXPECT_GT(moved, 0) << parameter;
    ++compared;
  }
  EXPECT_EQ(compared, 28);
}

// The optimizer writes the FP8 copies that the next step reads.
TEST_F(Sgd, TrainsInFp8) {
  ASSERT_NO_FATAL_FAILURE(
      train("fp8", "sgd", {"--steps", "30", "--lr", "0.3"}));
  std::vector<double> all = losses();
  ASSERT_EQ(all.size(), 30u);
  for (double loss : all)
    EXPECT_TRUE(std::isfinite(loss));
  std::fprintf(stderr, "loss %.4f, after 30 steps %.4f\n", all.front(),
               all.back());
  // One batch over and over is learnt.
  EXPECT_LT(all.back(), 0.9 * all.front());
}

TEST_F(Sgd, IsDescribedAndTakesItsScalarsAlone) {
  ASSERT_SUCCEEDS(teCompile({model, "--precision=f32",
                             "--optimizer=#te.sgd<momentum = 0.5>", "-o",
                             folder / "gpt2.so"}));
  Result info = teRun({"info", folder / "gpt2.so", "--json"});
  EXPECT_NE(info.out.find("\"momentum\""), std::string::npos);
  EXPECT_EQ(info.out.find("\"beta1\""), std::string::npos);
  Result run = teRun({"train", folder / "gpt2.so", "--data", referencePath,
                      "--steps", "1", "--beta1", "0.5"});
  EXPECT_NE(run.code, 0);
  EXPECT_NE(run.error.find("has no scalar 'beta1', so --beta1 has no effect"),
            std::string::npos)
      << run.error;
  run = teRun({"train", folder / "gpt2.so", "--data", referencePath, "--steps",
               "1", "--scalar", "momentum"});
  EXPECT_NE(run.code, 0);
  EXPECT_NE(
      run.error.find(
          "takes NAME=NUMBER, the number finite in float32, not 'momentum'"),
      std::string::npos)
      << run.error;
}
