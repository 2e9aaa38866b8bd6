// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is compiled grows with the depth of a model, not faster.

#include "Models.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace test;

namespace {

/// A model of feed-forward layers with norms and residual sums.
std::string makeModel(int layers) {
  std::ostringstream arguments, body;
  std::string x = "%x";
  for (int i = 0; i < layers; ++i) {
    std::string n = std::to_string(i);
    auto parameter = [&](const char *name, const char *type) {
      arguments << ", %" << name << n << ": tensor<" << type
                << "> {te.param = \"h." << n << "." << name << "\"}";
    };
    parameter("g", "32xf32");
    parameter("b", "32xf32");
    parameter("u", "64x32xf32");
    parameter("d", "32x64xf32");
    body << "  %n" << n << ", %m" << n << ", %s" << n << " = te.layer_norm "
         << x << ", %g" << n << ", %b" << n
         << " {eps = 1.0e-5 : f32} : tensor<64x32xf32>, tensor<32xf32>, "
            "tensor<32xf32> -> y tensor<64x32xf32> stats tensor<64xf32>, "
            "tensor<64xf32>\n"
         << "  %p" << n << " = te.matmul %n" << n << ", %u" << n
         << " {transpose_b} : tensor<64x32xf32>, tensor<64x32xf32> -> "
            "tensor<64x64xf32> loc(\"h."
         << n << ".up\")\n"
         << "  %a" << n << " = te.activation gelu_tanh %p" << n
         << " : tensor<64x64xf32> -> y tensor<64x64xf32>\n"
         << "  %q" << n << " = te.matmul %a" << n << ", %d" << n
         << " {transpose_b} : tensor<64x64xf32>, tensor<32x64xf32> -> "
            "tensor<64x32xf32> loc(\"h."
         << n << ".down\")\n"
         << "  %y" << n << " = te.add " << x << ", %q" << n
         << " : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x32xf32>\n";
    x = "%y" + n;
  }
  return "func.func @forward(%x: tensor<64x32xf32> {te.input = \"x\"}" +
         arguments.str() +
         ")\n    -> (tensor<64x32xf32> {te.output = \"logits\"}) {\n" +
         body.str() + "  return " + x + " : tensor<64x32xf32>\n}\n";
}

class Depth : public ::testing::Test {
protected:
  /// Compiles a model of that many layers.
  void compile(int layers, const std::vector<std::string> &more,
               const std::string &output) {
    std::string model = folder / (std::to_string(layers) + ".mlir");
    std::ofstream(model) << makeModel(layers);
    std::vector<std::string> arguments = {model, "--init=normal:0.02",
                                          "--loss=cross-entropy", "-o", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Result result = teCompile(arguments);
    EXPECT_EQ(result.code, 0) << result.error;
  }

  /// The lines of the code of a model: of all, and of its largest function.
  std::pair<int, int> countCode(int layers) {
    std::string path = folder / "code.mlir";
    compile(layers, {"--emit=llvm"}, path);
    std::ifstream file(path);
    int all = 0, current = 0, largest = 0;
    for (std::string line; std::getline(file, line); ++all) {
      if (line.find("  llvm.func ") == 0 ||
          line.find("  llvm.mlir.global ") == 0)
        current = 0;
      largest = std::max(largest, ++current);
    }
    return {all, largest};
  }

  TemporaryFolder folder;
};
} // namespace

// Every layer adds the same code, and no function grows with the model: what
// LLVM does to a function takes more than linear time.
TEST_F(Depth, CodeIsLinearInFunctionsOfBoundedSize) {
  auto [code32, largest32] = countCode(32);
  auto [code64, largest64] = countCode(64);
  auto [code128, largest128] = countCode(128);
  EXPECT_NEAR(double(code128 - code64), 2.0 * (code64 - code32),
              0.02 * code128);
  EXPECT_LT(largest128, 1.1 * largest64);
  EXPECT_LT(largest128, 4000);
}
