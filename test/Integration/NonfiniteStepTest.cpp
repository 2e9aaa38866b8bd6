// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step whose input is not finite updates nothing, whatever the precision: a
// cast to FP8 saturates, and the gradients behind it are finite.

#include "Models.h"

#include <nlohmann/json.hpp>
#include <set>

using namespace test;

namespace {
constexpr int rows = 32, width = 64, classes = 48, batches = 3;

const char model[] = R"(
func.func @forward(%x: tensor<32x64xf32> {te.input = "x"},
    %w: tensor<48x64xf32> {te.param = "fc.weight"}) -> (tensor<32x48xf32> {te.output = "logits"}) {
  %y = te.matmul %x, %w {transpose_b} : tensor<32x64xf32>, tensor<48x64xf32> -> tensor<32x48xf32> loc("fc")
  return %y : tensor<32x48xf32>
}
)";

/// Three batches, in the last of which one element of x is `odd`.
std::string dataWith(float odd) {
  std::vector<float> x(batches * rows * width);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(std::sin(0.37 * static_cast<double>(i)));
  x[2 * rows * width + 5 * width + 7] = odd;
  std::vector<int64_t> labels(batches * rows);
  for (size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<int64_t>(i * 7 % classes);
  return safetensorsOf({{"x", "F32", "[3,32,64]", bytesOf(x)},
                        {"labels", "I64", "[3,32]", bytesOf(labels)}});
}

/// The states that an update changes; not the scaling state, which takes in the
/// finite amaxes of a skipped step.
std::map<std::string, std::string> updatedStates(const std::string &path) {
  auto file = openTensors(path);
  std::map<std::string, std::string> states;
  for (const auto &[name, tensor] : file.tensors())
    if (name.rfind("fp8.", 0) != 0)
      states[name] = std::string(tensor.data, tensor.bytes);
  return states;
}
} // namespace

TEST(NonfiniteStep, IsSkippedInEveryPrecision) {
  TemporaryFolder folder;
  writeText(folder / "model.mlir", model);
  for (std::vector<std::string> precision :
       {std::vector<std::string>{"--precision=bf16"},
        {"--precision=fp8", "--policy=*=fp8"},
        {"--precision=fp8", "--policy=*=fp8", "--recipe=current_scaling"},
        {"--precision=fp8", "--policy=*=fp8", "--recipe=row_scaling"},
        {"--precision=fp8", "--policy=*=fp8", "--recipe=block_scaling"},
        {"--precision=fp8", "--policy=*=fp8", "--recipe=mxfp8_scaling"}}) {
    std::string name = precision.back();
    std::vector<std::string> compile = {folder / "model.mlir",
                                        "--entry=train",
                                        "--loss=cross-entropy",
                                        "--init=normal:0.1",
                                        "-o",
                                        folder / "model.so"};
    compile.insert(compile.end(), precision.begin(), precision.end());
    ASSERT_SUCCEEDS(teCompile(compile));
    for (float odd : {1.0f, INFINITY, -INFINITY, std::nanf("")}) {
      SCOPED_TRACE(name + " " + std::to_string(odd));
      std::filesystem::remove_all(folder / "run");
      writeText(folder / "data.safetensors", dataWith(odd));
      Result result = teRun({"train", folder / "model.so", "--data",
                             folder / "data.safetensors", "--steps", "3",
                             "--lr", "0.01", "--every", "1", "--checkpoint",
                             folder / "run", "--metrics", folder / "log"});
      ASSERT_SUCCEEDS(result);
      auto step = [&](int number) {
        return updatedStates(
            folder /
            ("run/step-0000000" + std::to_string(number) + ".safetensors"));
      };
      std::istringstream log(readText(folder / "log"));
      std::vector<bool> skipped;
      for (std::string line; std::getline(log, line);)
        skipped.push_back(
            nlohmann::json::parse(line, nullptr, false).contains("skipped"));
      bool finite = std::isfinite(odd);
      EXPECT_EQ(skipped, (std::vector<bool>{false, false, !finite}));
      EXPECT_NE(step(1), step(2));
      EXPECT_EQ(step(2) == step(3), !finite);
      EXPECT_EQ(result.error.find("the update was skipped") !=
                    std::string::npos,
                !finite)
          << result.error;
    }
  }
}
