// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPT layer and a Llama layer as accurate as Transformer Engine's on an H200:
// both are compared with the same layer in float64, after the same steps.

#include "Models.h"

using namespace test;
using tert::session::SafetensorsFile;
using tert::session::SafetensorsWriter;

namespace {
constexpr int steps = 6;

/// By what factor our error may exceed Transformer Engine's. Rounding is
/// partly chance, and a vector averages over fewer roundings than a matrix.
double allowedFactor(size_t rank) { return rank >= 2 ? 1.05 : 1.15; }

class TransformerEngine : public ::testing::Test {
protected:
  /// `layer`: gpt or llama, of so many parameters.
  explicit TransformerEngine(const std::string &layer = "gpt",
                             int parameters = 16)
      : folderOfInputs("te_layer_" + layer), prefix("layer." + layer + "."),
        parameters(parameters) {}

  std::string folderOfInputs, prefix;
  int parameters;
  SafetensorsFile reference =
      openTensors(inputPath(folderOfInputs + "/reference.safetensors"));

  /// Tensors of the reference under the names of the program's inputs.
  void writeInputs(int step) {
    const std::string number = std::to_string(step);
    const std::vector<std::string> names = {"x", "cotangent.y"};
    std::vector<const tert::session::TensorView *> views = {
        reference.find(prefix + "x." + number),
        reference.find(prefix + "dy." + number)};
    std::vector<SafetensorsWriter::Entry> entries;
    for (size_t i = 0; i < names.size(); ++i) {
      ASSERT_NE(views[i], nullptr);
      entries.push_back({names[i], views[i]->dtype, views[i]->shape});
    }
    auto writer = SafetensorsWriter::create(folder / "in", entries, {});
    ASSERT_TRUE(writer) << writer.takeError().message();
    for (size_t i : writer->order())
      ASSERT_FALSE(writer->append(views[i]->data, views[i]->bytes));
    ASSERT_FALSE(writer->commit());
  }

  /// Runs all steps and compares the last; `run` names Transformer Engine's.
  void compare(const std::vector<std::string> &options,
               const std::string &run) {
    std::vector<std::string> arguments = {
        inputPath(folderOfInputs + "/model.onnx"), "--entry=vjp", "-o",
        folder / "layer.so"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ASSERT_SUCCEEDS(teCompile(arguments));
    for (int step = 0; step < steps; ++step) {
      ASSERT_NO_FATAL_FAILURE(writeInputs(step));
      ASSERT_SUCCEEDS(teRun({"vjp", folder / "layer.so", "--inputs",
                             folder / "in", "--outputs", folder / "out",
                             "--state", folder / "state.safetensors"}));
    }
    SafetensorsFile ours = openTensors(folder / "out");

    std::fprintf(stderr, "%-18s %9s %9s %7s %7s\n", "error to float64", "ours",
                 "TE", "ratio", "bar");
    const std::string exactPrefix = prefix + "f64.";
    int compared = 0;
    for (const auto &[exactName, view] : reference.tensors()) {
      if (exactName.rfind(exactPrefix, 0) != 0)
        continue;
      const std::string name = exactName.substr(exactPrefix.size());
      const std::string ourName = name == "dx" ? "grad.x" : name;
      ++compared;
      if (name == "grad.k.bias") {
        // Softmax does not change when every key moves by the same vector:
        // exactly 0, and what is left is rounding.
        double left = norm(valuesOf(ours, ourName)) /
                      norm(valuesOf(reference, exactPrefix + "grad.q.bias"));
        std::fprintf(stderr, "%-18s %9.2e of the norm of grad.q.bias\n",
                     name.c_str(), left);
        EXPECT_LE(left, 0.05) << name;
        continue;
      }
      double error = relativeError(valuesOf(ours, ourName),
                                   valuesOf(reference, exactName));
      double theirs =
          valuesOf(reference, prefix + run + ".relative_error." + name).at(0);
      double bar = allowedFactor(view.shape.size());
      std::fprintf(stderr, "%-18s %9.2e %9.2e %7.3f %7.2f%s\n", name.c_str(),
                   error, theirs, error / theirs, bar,
                   error <= bar * theirs ? "" : "  <-- above");
      EXPECT_LE(error, bar * theirs) << name;
    }
    EXPECT_EQ(compared, parameters + 2); // and y and dx
  }

  TemporaryFolder folder;
};

/// RMS norms, rotary embeddings, two key heads for four query heads, SwiGLU.
class TransformerEngineLlama : public TransformerEngine {
protected:
  TransformerEngineLlama() : TransformerEngine("llama", 8) {}
};
} // namespace

TEST_F(TransformerEngine, Fp8DelayedScaling) {
  compare({"--precision=fp8", "--fp8-format=hybrid", "--recipe=delayed_scaling",
           "--amax-history=16"},
          "te_delayed");
}

TEST_F(TransformerEngine, Fp8CurrentScaling) {
  compare(
      {"--precision=fp8", "--fp8-format=hybrid", "--recipe=current_scaling"},
      "te_current");
}

// No error of Transformer Engine's block scaling is at hand, nor of its MXFP8.
// Finer scales, and gradients of three bits, are no worse than one scale a
// tensor.
TEST_F(TransformerEngine, Fp8BlockScaling) {
  compare({"--precision=fp8", "--recipe=block_scaling"}, "te_current");
}

TEST_F(TransformerEngine, MXFP8Scaling) {
  compare({"--precision=fp8", "--recipe=mxfp8_scaling"}, "te_current");
}

TEST_F(TransformerEngine, BFloat16) {
  compare({"--precision=bf16"}, "te_bf16");
}

// Transformer Engine's parameters, inputs and results are in bfloat16, so the
// same bars hold when ours are.
TEST_F(TransformerEngine, Fp8WithABFloat16Boundary) {
  compare({"--precision=fp8", "--fp8-format=hybrid", "--recipe=delayed_scaling",
           "--amax-history=16", "--boundary=bf16"},
          "te_delayed");
}

TEST_F(TransformerEngine, BFloat16WithABFloat16Boundary) {
  compare({"--precision=bf16", "--boundary=bf16"}, "te_bf16");
}

TEST_F(TransformerEngineLlama, Fp8DelayedScaling) {
  compare({"--precision=fp8", "--fp8-format=hybrid", "--recipe=delayed_scaling",
           "--amax-history=16"},
          "te_delayed");
}

TEST_F(TransformerEngineLlama, Fp8CurrentScaling) {
  compare(
      {"--precision=fp8", "--fp8-format=hybrid", "--recipe=current_scaling"},
      "te_current");
}

TEST_F(TransformerEngineLlama, Fp8BlockScaling) {
  compare({"--precision=fp8", "--recipe=block_scaling"}, "te_current");
}

TEST_F(TransformerEngineLlama, MXFP8Scaling) {
  compare({"--precision=fp8", "--recipe=mxfp8_scaling"}, "te_current");
}

TEST_F(TransformerEngineLlama, BFloat16) {
  compare({"--precision=bf16"}, "te_bf16");
}
