// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A language model whose norms, activations, gains and loss cap no te op
// covers, against PyTorch: what its kernels compute, and their gradients.

#include "Models.h"

using namespace test;
using tert::session::SafetensorsFile;

namespace {
class Custom : public ::testing::Test {
protected:
  std::string model = inputPath("custom/model.onnx");
  std::string referencePath = inputPath("custom/reference.safetensors");

  void gradients(const std::string &precision) {
    ASSERT_SUCCEEDS(
        teCompile({model, "--entry=grad", "--loss=cross-entropy",
                   "--precision=" + precision, "-o", folder / "custom.so"}));
    ASSERT_SUCCEEDS(teRun({"grad", folder / "custom.so", "--inputs",
                           referencePath, "--outputs", folder / "out"}));
  }

  /// Worst relative error over loss, logits and gradients.
  double worstError() {
    SafetensorsFile ours = openTensors(folder / "out");
    SafetensorsFile reference = openTensors(referencePath);
    double worst = 0;
    int compared = 0;
    for (const auto &[name, view] : reference.tensors()) {
      if (name.rfind("input.", 0) == 0 || name == "labels")
        continue;
      double error =
          relativeError(valuesOf(ours, name), valuesOf(reference, name));
      std::fprintf(stderr, "%-42s %.2e\n", name.c_str(), error);
      worst = std::max(worst, error);
      ++compared;
    }
    EXPECT_EQ(compared, 28); // 26 parameters, logits and loss.
    return worst;
  }

  TemporaryFolder folder;
};
} // namespace

TEST_F(Custom, Float32IsPyTorchs) {
  ASSERT_NO_FATAL_FAILURE(gradients("f32"));
  EXPECT_LE(worstError(), 1e-5);
}

// Eight bits of mantissa in every activation, a dozen roundings one after the
// other.
TEST_F(Custom, BFloat16IsClose) {
  ASSERT_NO_FATAL_FAILURE(gradients("bf16"));
  EXPECT_LE(worstError(), 0.05);
}

TEST_F(Custom, TrainsInFp8) {
  ASSERT_SUCCEEDS(
      teCompile({model, "--loss=cross-entropy", "-o", folder / "custom.so"}));
  ASSERT_SUCCEEDS(
      teRun({"train", folder / "custom.so", "--data", referencePath, "--steps",
             "30", "--lr", "0.01", "--metrics", folder / "metrics.jsonl"}));
}
