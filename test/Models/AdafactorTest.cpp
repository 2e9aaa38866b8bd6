// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adafactor: its first step against the float64 formula on PyTorch's gradients,
// and a training in FP8.

#include "Models.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace test;
using tert::session::SafetensorsFile;

namespace {
double meanSquare(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return sum / double(values.size());
}

class Adafactor : public ::testing::Test {
protected:
  void train(const std::string &precision,
             const std::vector<std::string> &more) {
    ASSERT_SUCCEEDS(
        teCompile({model, "--loss=cross-entropy", "--precision=" + precision,
                   "--optimizer=adafactor", "-o", folder / "gpt2.so"}));
    std::vector<std::string> arguments = {"train",        folder / "gpt2.so",
                                          "--data",       referencePath,
                                          "--checkpoint", folder / "run",
                                          "--metrics",    folder / "log",
                                          "--clip",       "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ASSERT_SUCCEEDS(teRun(arguments));
  }

  std::string model = inputPath("gpt2_vocab509/model.onnx");
  std::string referencePath = inputPath("gpt2_vocab509/reference.safetensors");
  TemporaryFolder folder;
};
} // namespace

TEST_F(Adafactor, FirstStepIsTheFormulaOnPyTorchsGradients) {
  ASSERT_NO_FATAL_FAILURE(
      train("f32", {"--steps", "1", "--lr", "0.25", "--weight-decay", "0.5"}));
  SafetensorsFile before = openTensors(folder / "gpt2.so.weights.safetensors");
  SafetensorsFile after = openTensors(folder / "run/step-00000001.safetensors");
  SafetensorsFile reference = openTensors(referencePath);
  const double lr = 0.25;
  int matrices = 0, others = 0;
  for (const auto &[name, view] : reference.tensors()) {
    if (name.rfind("grad.", 0) != 0)
      continue;
    const std::string parameter = name.substr(5);
    const std::vector<double> g = valuesOf(reference, name);
    const std::vector<double> old = valuesOf(before, parameter);
    const std::vector<double> updated = valuesOf(after, parameter);
    const bool isMatrix = view.shape.size() == 2;
    (isMatrix ? matrices : others) += 1;
    std::vector<double> direction(g.size());
    if (isMatrix) {
      const auto rows = size_t(view.shape[0]), cols = size_t(view.shape[1]);
      std::vector<double> row(rows), col(cols);
      double mean = 0;
      for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
          const double square = g[i * cols + j] * g[i * cols + j];
          row[i] += square / double(cols);
          col[j] += square / double(rows);
          mean += square / double(rows * cols);
        }
      EXPECT_LE(
          relativeError(valuesOf(after, "adafactor.row_var." + parameter), row),
          1e-4)
          << parameter;
      EXPECT_LE(
          relativeError(valuesOf(after, "adafactor.col_var." + parameter), col),
          1e-4)
          << parameter;
      for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < cols; ++j)
          direction[i * cols + j] =
              g[i * cols + j] /
              std::sqrt(
                  std::max(row[i] * col[j] / std::max(mean, 0x1p-23), 0x1p-46));
    } else {
      for (size_t i = 0; i < g.size(); ++i)
        direction[i] = g[i] / std::sqrt(std::max(g[i] * g[i], 0x1p-46));
    }
    const double rate = std::max(1e-3, std::sqrt(meanSquare(old))) * lr /
                        std::max(1.0, std::sqrt(meanSquare(direction)));
    // Which parameters decay is AdamW's choice: weights, not norms, biases and
    // tables, which the head is tied to.
    const bool decays = isMatrix &&
                        parameter.find("wte") == std::string::npos &&
                        parameter.find("wpe") == std::string::npos &&
                        parameter.find("lm_head") == std::string::npos;
    std::vector<double> step(old.size()), expected(old.size());
    for (size_t i = 0; i < old.size(); ++i) {
      step[i] = updated[i] - old[i];
      expected[i] = -rate * direction[i] - (decays ? lr * 0.5 * old[i] : 0);
    }
    EXPECT_LE(relativeError(step, expected), 2e-3) << parameter;
  }
  EXPECT_EQ(matrices, 10);
  EXPECT_EQ(others, 18);
}

TEST_F(Adafactor, TrainsInFp8) {
  ASSERT_NO_FATAL_FAILURE(train("fp8", {"--steps", "30", "--lr", "0.01"}));
  std::ifstream log(folder / "log");
  std::vector<double> losses;
  for (std::string line; std::getline(log, line);)
    losses.push_back(nlohmann::json::parse(line).at("loss"));
  ASSERT_EQ(losses.size(), 30u);
  for (double loss : losses)
    EXPECT_TRUE(std::isfinite(loss));
  EXPECT_LT(losses.back(), 0.9 * losses.front());
}
