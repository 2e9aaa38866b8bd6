// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A two-layer Hugging Face GPT-2 with a vocabulary of 509 against PyTorch.

#include "Models.h"

#include <nlohmann/json.hpp>

using namespace test;
using tert::session::SafetensorsFile;

namespace {
class Gpt2 : public ::testing::Test {
protected:
  std::string model = inputPath("gpt2_vocab509/model.onnx");
  std::string referencePath = inputPath("gpt2_vocab509/reference.safetensors");

  void gradients(const std::vector<std::string> &options) {
    std::vector<std::string> arguments = {model, "--entry=grad",
                                          "--loss=cross-entropy", "-o",
                                          folder / "gpt2.so"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ASSERT_SUCCEEDS(teCompile(arguments));
    ASSERT_SUCCEEDS(teRun({"grad", folder / "gpt2.so", "--inputs",
                           referencePath, "--outputs", folder / "out"}));
  }

  TemporaryFolder folder;
};
} // namespace

// Both sides compute in float32, in different orders: errors are a few times
// 2^-24 per sum, far below the bar.
TEST_F(Gpt2, Float32IsPyTorchs) {
  ASSERT_NO_FATAL_FAILURE(gradients({"--precision=f32"}));
  SafetensorsFile ours = openTensors(folder / "out");
  SafetensorsFile reference = openTensors(referencePath);
  int compared = 0;
  for (const auto &[name, view] : reference.tensors()) {
    if (name.rfind("input.", 0) == 0 || name == "labels")
      continue;
    double error =
        relativeError(valuesOf(ours, name), valuesOf(reference, name));
    std::fprintf(stderr, "%-42s %.2e\n", name.c_str(), error);
    EXPECT_LE(error, 1e-5) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 30); // 28 parameters, logits and loss.
}

// Every linear in FP8, the LM head too: its 509 columns are not a multiple of
// 16, which FP8 products need, so they are padded.
TEST_F(Gpt2, Fp8WithAPaddedLmHead) {
  ASSERT_NO_FATAL_FAILURE(gradients({"--policy=lm_head=fp8"}));
  auto info = nlohmann::json::parse(
      teRun({"info", folder / "gpt2.so", "--json"}).out, nullptr, false);
  ASSERT_TRUE(info.is_object());
  int slots = 0;
  for (const auto &slot : info["slots"])
    slots += std::string(slot["name"]).rfind("lm_head.", 0) == 0;
  EXPECT_EQ(slots, 3); // input, weight, grad_output

  SafetensorsFile ours = openTensors(folder / "out");
  SafetensorsFile reference = openTensors(referencePath);
  double loss = valuesOf(ours, "loss").at(0);
  double expected = valuesOf(reference, "loss").at(0);
  std::fprintf(stderr, "loss %.6f, in float32 %.6f\n", loss, expected);
  EXPECT_LE(std::abs(loss - expected), 0.02 * expected);
  for (const auto &[name, view] : ours.tensors())
    EXPECT_TRUE(std::isfinite(norm(valuesOf(ours, name)))) << name;
  // E4M3 keeps three bits: every operand is off by up to 1/16, by 1/40 in the
  // mean. A column in the wrong place is off by more than its own length.
  for (const char *name : {"logits", "grad.lm_head.weight"}) {
    double error =
        relativeError(valuesOf(ours, name), valuesOf(reference, name));
    std::fprintf(stderr, "%-42s %.2e\n", name, error);
    EXPECT_LE(error, 0.1) << name;
  }
}
