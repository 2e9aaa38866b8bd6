// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damaged models: every one is imported or refused with an error, none crashes.

#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Frontend/ONNX/ImportONNX.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace mlir::te;

namespace {

class FuzzTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    auto buffer = llvm::MemoryBuffer::getFile(Twine(TE_TEST_INPUTS "/") +
                                              GetParam() + ".onnx");
    ASSERT_TRUE(bool(buffer));
    bytes = (*buffer)->getBuffer().str();
  }

  /// Imports, and raises what could be imported. `what` says how the bytes were
  /// made.
  void check(StringRef damaged, const std::string &what) {
    int errors = 0;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    });
    ImportOptions options;
    options.maxConstantBytes = 1 << 20;
    // An identifier in the inputs' folder, so that external data is looked for.
    auto model = importONNX(
        llvm::MemoryBufferRef(damaged, TE_TEST_INPUTS "/damaged.onnx"),
        &context, options);
    if (failed(model)) {
      EXPECT_GT(errors, 0) << what << " was refused without an error";
      return;
    }
    EXPECT_EQ(errors, 0) << what << " was imported with errors";
    PassManager passes(&context);
    passes.addPass(createTERaise());
    EXPECT_TRUE(succeeded(passes.run(*model->module))) << what;
  }

  MLIRContext context;
  std::string bytes;
};

TEST_P(FuzzTest, Truncated) {
  // Every length of small models, a few hundred of large ones.
  size_t step = std::max<size_t>(bytes.size() / 300, 1);
  for (size_t length = 0; length < bytes.size(); length += step)
    check(StringRef(bytes).take_front(length),
          std::to_string(length) + " bytes");
}

TEST_P(FuzzTest, BitsFlipped) {
  std::mt19937 random(20261121);
  for (int round = 0; round < 800; ++round) {
    std::string damaged = bytes;
    int flips = 1 + random() % 4;
    for (int i = 0; i < flips; ++i)
      damaged[random() % damaged.size()] ^= char(1 << random() % 8);
    check(damaged, "round " + std::to_string(round));
  }
}

TEST_P(FuzzTest, BytesReplaced) {
  // Values that matter to varints, sizes and tags.
  static constexpr unsigned char kValues[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  std::mt19937 random(1729);
  for (int round = 0; round < 800; ++round) {
    std::string damaged = bytes;
    size_t at = random() % damaged.size();
    size_t length = std::min<size_t>(1 + random() % 9, damaged.size() - at);
    for (size_t i = 0; i < length; ++i)
      damaged[at + i] = char(kValues[random() % std::size(kValues)]);
    check(damaged, "round " + std::to_string(round));
  }
}

TEST_P(FuzzTest, PiecesMoved) {
  std::mt19937 random(4104);
  for (int round = 0; round < 400; ++round) {
    std::string damaged = bytes;
    size_t from = random() % bytes.size(), to = random() % bytes.size();
    size_t length =
        std::min<size_t>(1 + random() % 64, bytes.size() - std::max(from, to));
    damaged.replace(to, length, bytes, from, length);
    check(damaged, "round " + std::to_string(round));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, FuzzTest,
                         testing::Values("constants", "external_present",
                                         "gpt_layer", "mask_additive", "ops",
                                         "optimized", "unsupported"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
