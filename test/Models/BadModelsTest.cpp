// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What te-compile says about models that it cannot compile.

#include "Models.h"

using namespace test;

namespace {
class BadModels : public ::testing::Test {
protected:
  /// Exit code 1, a message with every part, and no artifact.
  void expectError(const std::string &model, const std::string &output,
                   const std::vector<std::string> &parts) {
    Result result = teCompile({model, "-o", output});
    EXPECT_EQ(result.code, 1) << result.out << result.error;
    EXPECT_CONTAINS(result.error, "error: ");
    for (const std::string &part : parts)
      EXPECT_CONTAINS(result.error, part);
    EXPECT_LACKS(result.error, "PLEASE submit a bug report");
    EXPECT_FALSE(std::filesystem::exists(output));
  }
  std::string output() { return folder / "out.so"; }

  std::string gpt2 = inputPath("gpt2_vocab509/model.onnx");
  TemporaryFolder folder;
};
} // namespace

TEST_F(BadModels, Truncated) {
  const std::string whole = readText(gpt2);
  const std::string path = folder / "cut.onnx";
  // In the graph, in the weights, and one byte short.
  for (size_t size :
       {size_t(1000), whole.size() / 4, whole.size() / 2, whole.size() - 1}) {
    writeText(path, whole.substr(0, size));
    SCOPED_TRACE(size);
    expectError(path, output(), {"cut.onnx", "truncated or damaged"});
  }
}

TEST_F(BadModels, NoModel) {
  const std::string path = folder / "text.onnx";
  // One byte of a model is not enough to tell it from text.
  for (const std::string &text :
       {readText(gpt2).substr(0, 1), std::string("not a model")}) {
    writeText(path, text);
    expectError(path, output(), {"neither an ONNX model nor MLIR"});
  }
}

TEST_F(BadModels, NoSuchFile) {
  expectError(
      folder / "absent.onnx", output(),
      {"te-compile: error: ", "absent.onnx", "No such file or directory"});
}

TEST_F(BadModels, WeightsMissing) {
  expectError(std::string(TE_SOURCE_DIR) + "/examples/gpt_bytes/model.onnx",
              output(),
              {"52 parameters have no data", "transformer.wpe.weight",
               "transformer.h.0.attn.c_attn.bias", "and 44 more", "--init"});
}

TEST_F(BadModels, OutputThatCannotBeWritten) {
  expectError(gpt2, folder / "absent/out.so",
              {"absent/out.so", "No such file or directory"});
}
