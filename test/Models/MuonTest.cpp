// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Muon: its first step against a float64 iteration on PyTorch's gradients,
// AdamW for the parameters that are no hidden matrices, and a training in FP8.

#include "Models.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace test;
using tert::session::SafetensorsFile;

namespace {
/// A row-major matrix of doubles.
struct Matrix {
  size_t rows, cols;
  std::vector<double> values;

  double at(size_t i, size_t j) const { return values[i * cols + j]; }
  Matrix transposed() const {
    Matrix result{cols, rows, std::vector<double>(values.size())};
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < cols; ++j)
        result.values[j * rows + i] = at(i, j);
    return result;
  }
  Matrix times(const Matrix &other) const {
    Matrix result{rows, other.cols, std::vector<double>(rows * other.cols)};
    for (size_t i = 0; i < rows; ++i)
      for (size_t k = 0; k < cols; ++k)
        for (size_t j = 0; j < other.cols; ++j)
          result.values[i * other.cols + j] += at(i, k) * other.at(k, j);
    return result;
  }
};

/// Five steps of Jordan's Newton-Schulz iteration, as torch.optim.Muon makes
/// them.
Matrix orthogonalized(Matrix x) {
  double squares = 0;
  for (double value : x.values)
    squares += value * value;
  for (double &value : x.values)
    value /= std::max(std::sqrt(squares), 1e-7);
  const bool isTall = x.rows > x.cols;
  if (isTall)
    x = x.transposed();
  for (int step = 0; step < 5; ++step) {
    const Matrix a = x.times(x.transposed()), aa = a.times(a);
    Matrix b = a;
    for (size_t i = 0; i < b.values.size(); ++i)
      b.values[i] = -4.775 * a.values[i] + 2.0315 * aa.values[i];
    const Matrix bx = b.times(x);
    for (size_t i = 0; i < x.values.size(); ++i)
      x.values[i] = 3.4445 * x.values[i] + bx.values[i];
  }
  return isTall ? x.transposed() : x;
}

class Muon : public ::testing::Test {
protected:
  void train(const std::string &precision,
             const std::vector<std::string> &more) {
    ASSERT_SUCCEEDS(
        teCompile({model, "--loss=cross-entropy", "--precision=" + precision,
                   "--optimizer=muon", "-o", folder / "gpt2.so"}));
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

TEST_F(Muon, FirstStepIsTheFormulaOnPyTorchsGradients) {
  ASSERT_NO_FATAL_FAILURE(
      train("f32", {"--steps", "1", "--lr", "0.01", "--weight-decay", "0.5"}));
  SafetensorsFile before = openTensors(folder / "gpt2.so.weights.safetensors");
  SafetensorsFile after = openTensors(folder / "run/step-00000001.safetensors");
  SafetensorsFile reference = openTensors(referencePath);
  const double lr = 0.01, momentum = 0.95;
  int hidden = 0, others = 0;
  for (const auto &[name, view] : reference.tensors()) {
    if (name.rfind("grad.", 0) != 0)
      continue;
    const std::string parameter = name.substr(5);
    const std::vector<double> gradient = valuesOf(reference, name);
    const std::vector<double> old = valuesOf(before, parameter);
    const std::vector<double> updated = valuesOf(after, parameter);
    const std::string state = "muon.momentum_buffer." + parameter;
    if (!after.tensors().count(state)) {
      // The tied head, positions, norms and biases: AdamW's first step.
      EXPECT_TRUE(after.tensors().count("adamw.exp_avg_sq." + parameter));
      EXPECT_EQ(parameter.find("c_fc.weight"), std::string::npos);
      for (size_t i = 0; i < old.size(); ++i)
        if (std::abs(gradient[i]) > 1e-4)
          ASSERT_NEAR(updated[i], old[i] - lr * (gradient[i] > 0 ? 1 : -1),
                      1e-3 * lr + 1e-6)
              << parameter;
      ++others;
      continue;
    }
    ++hidden;
    const std::vector<double> buffer = valuesOf(after, state);
    Matrix x{size_t(view.shape[0]), size_t(view.shape[1]), buffer};
    std::vector<double> moved(gradient);
    for (size_t i = 0; i < moved.size(); ++i) {
      moved[i] *= 1 - momentum;
      x.values[i] *= 1 + momentum;
    }
    EXPECT_LE(relativeError(buffer, moved), 1e-5) << parameter;
    // Small singular values grow by up to 3.4445^5, and what gradients differ
    // by with them: so the iteration is of the program's own buffer.
    const Matrix direction = orthogonalized(x);
    const double size = 0.2 * std::sqrt(double(std::max(x.rows, x.cols)));
    std::vector<double> step(old.size()), expected(old.size());
    for (size_t i = 0; i < old.size(); ++i) {
      expected[i] = -lr * size * direction.values[i];
      step[i] = updated[i] - (1 - lr * 0.5) * old[i];
    }
    EXPECT_LE(relativeError(step, expected), 1e-3) << parameter;
  }
  EXPECT_EQ(hidden, 8);
  EXPECT_EQ(others, 20);
}

TEST_F(Muon, TrainsInFp8) {
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
