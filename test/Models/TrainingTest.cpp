// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first steps of a training are PyTorch's: loss, clipping, AdamW, which
// parameters decay, and the learning rate's schedule.

#include "Models.h"

#include <nlohmann/json.hpp>

using namespace test;
using tert::session::SafetensorsFile;

namespace {
/// Of one parameter: its norm, and its products with cosines of 1, 2 and 3
/// radians a place.
std::vector<double> checksums(const std::string &name,
                              std::vector<double> values) {
  // The keys' third of this bias has gradient zero but for rounding, of which
  // Adam makes whole steps.
  const std::string noisy = "attn.c_attn.bias";
  if (name.size() >= noisy.size() &&
      name.compare(name.size() - noisy.size(), noisy.size(), noisy) == 0) {
    auto third = static_cast<std::ptrdiff_t>(values.size() / 3);
    values.erase(values.begin() + third, values.begin() + 2 * third);
  }
  std::vector<double> sums = {norm(values)};
  for (int k = 1; k <= 3; ++k) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i)
      sum += values[i] * std::cos(k * static_cast<double>(i));
    sums.push_back(sum);
  }
  return sums;
}

class Training : public ::testing::Test {
protected:
  /// Trains with Inputs/make_training.py's settings and compares with what it
  /// stored under `run`.
  void compare(const std::string &run, const std::vector<std::string> &more) {
    const std::string data = inputPath("gpt2_vocab509/training.safetensors");
    SafetensorsFile reference = openTensors(data);
    ASSERT_SUCCEEDS(
        teCompile({inputPath("gpt2_vocab509/model.onnx"), "--precision=f32",
                   "--entry=train", "-o", folder / "gpt2.so"}));
    std::vector<std::string> arguments = {"train",          folder / "gpt2.so",
                                          "--data",         data,
                                          "--steps",        "6",
                                          "--lr",           "1e-3",
                                          "--beta1",        "0.9",
                                          "--beta2",        "0.98",
                                          "--eps",          "1e-6",
                                          "--weight-decay", "0.1",
                                          "--clip",         "1.5",
                                          "--checkpoint",   folder / run,
                                          "--metrics",      folder / "log"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ASSERT_SUCCEEDS(teRun(arguments));

    std::ifstream log(folder / "log");
    std::vector<double> losses, norms;
    for (std::string line; std::getline(log, line);) {
      auto step = nlohmann::json::parse(line);
      losses.push_back(step.at("loss"));
      norms.push_back(step.at("grad_norm"));
    }
    expectNear("loss", losses, valuesOf(reference, run + ".loss"));
    expectNear("grad_norm", norms, valuesOf(reference, run + ".grad_norm"));

    SafetensorsFile ours =
        openTensors(folder / run + "/step-00000006.safetensors");
    const std::string prefix = run + ".checksums.";
    int compared = 0;
    for (const auto &[name, view] : reference.tensors()) {
      if (name.rfind(prefix, 0) != 0)
        continue;
      const std::string parameter = name.substr(prefix.size());
      std::vector<double> expected = valuesOf(reference, name);
      std::vector<double> sums =
          checksums(parameter, valuesOf(ours, parameter));
      ASSERT_EQ(expected.size(), sums.size());
      double worst = 0;
      for (size_t i = 0; i < sums.size(); ++i)
        worst = std::max(worst, std::abs(sums[i] - expected[i]) / expected[0]);
      std::fprintf(stderr, "%-42s %.1e\n", parameter.c_str(), worst);
      EXPECT_LE(worst, 1e-5) << parameter;
      ++compared;
    }
    EXPECT_EQ(compared, 28);
  }

private:
  /// Float32 on our side, float64 on PyTorch's.
  static void expectNear(const char *what, const std::vector<double> &ours,
                         const std::vector<double> &expected) {
    ASSERT_EQ(ours.size(), expected.size()) << what;
    double worst = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
      worst = std::max(worst, std::abs(ours[i] / expected[i] - 1));
      EXPECT_NEAR(ours[i], expected[i], 1e-5 * expected[i])
          << what << " of step " << i + 1;
    }
    std::fprintf(stderr, "%-42s %.1e\n", what, worst);
  }

  TemporaryFolder folder;
};
} // namespace

TEST_F(Training, AdamWIsPyTorchs) { compare("constant", {}); }

TEST_F(Training, CosineScheduleWithWarmup) {
  compare("cosine",
          {"--warmup", "2", "--schedule", "cosine", "--min-lr", "1e-4"});
}
