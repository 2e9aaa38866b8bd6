// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What importONNX hands out beside the module.

#include "te/Dialect/TE/IR/TE.h"
#include "te/Frontend/ONNX/ImportONNX.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;
using namespace mlir::te;

namespace {

std::string input(StringRef name) {
  return (Twine(TE_TEST_INPUTS "/") + name + ".onnx").str();
}

class ImportTest : public testing::Test {
protected:
  ImportedModel import(StringRef name) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
    });
    auto model = importONNX(input(name), &context);
    EXPECT_TRUE(succeeded(model)) << messages;
    return succeeded(model) ? std::move(*model) : ImportedModel();
  }

  MLIRContext context;
  std::string messages;
};

TEST_F(ImportTest, InlineParametersAreInTheOrderOfTheArguments) {
  ImportedModel model = import("optimized");
  ASSERT_EQ(model.parameters.size(), 3u);
  auto forward = model.module->lookupSymbol<func::FuncOp>("forward");
  ASSERT_TRUE(forward);
  ASSERT_EQ(forward.getNumArguments(), 4u);
  for (unsigned i = 0; i < 3; ++i) {
    auto name = forward.getArgAttrOfType<StringAttr>(i + 1, kParamAttr);
    ASSERT_TRUE(name);
    EXPECT_EQ(name.getValue(), model.parameters[i].name);
    EXPECT_EQ(forward.getArgumentTypes()[i + 1], model.parameters[i].type);
  }
  const ParameterData &weight = model.parameters[2];
  EXPECT_EQ(weight.name, "val_93");
  EXPECT_EQ(weight.kind, ParameterData::Kind::Inline);
  ASSERT_EQ(weight.bytes.size(), 16 * sizeof(float));
  float values[16];
  std::memcpy(values, weight.bytes.data(), sizeof(values));
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(values[i], i % 5 == 0 ? 1.0f : 0.0f) << i;
}

TEST_F(ImportTest, ExternalParametersAreLocated) {
  ImportedModel model = import("external_present");
  ASSERT_EQ(model.parameters.size(), 1u);
  const ParameterData &bias = model.parameters[0];
  EXPECT_EQ(bias.kind, ParameterData::Kind::External);
  SmallString<256> expected;
  ASSERT_FALSE(
      llvm::sys::fs::real_path(TE_TEST_INPUTS "/weights.bin", expected));
  EXPECT_EQ(bias.path, expected.str());
  EXPECT_EQ(bias.offset, 8u);
  EXPECT_EQ(bias.length, 16u);
  EXPECT_TRUE(bias.bytes.empty());
}

TEST_F(ImportTest, AbsentParametersAreNamed) {
  ImportedModel model = import("external_absent");
  ASSERT_EQ(model.parameters.size(), 1u);
  EXPECT_EQ(model.parameters[0].kind, ParameterData::Kind::Absent);
  EXPECT_EQ(model.parameters[0].name, "bias");
  EXPECT_EQ(model.parameters[0].path, "nowhere.bin");
}

TEST_F(ImportTest, EveryParameterOfARealExportHasItsName) {
  ImportedModel model = import("gpt2");
  // Two layers of 12, the final norm's 2, positions and the tied table.
  EXPECT_EQ(model.parameters.size(), 28u);
  EXPECT_EQ(messages, "");
  int64_t count = 0;
  for (const ParameterData &parameter : model.parameters)
    count += parameter.type.getNumElements();
  // 509*64 + 64*64 + 2 * (4*64*64 + 8*64*64 + 9*64 + 4*64) + 2*64, by hand from
  // the model's configuration.
  EXPECT_EQ(count, 509 * 64 + 64 * 64 + 2 * (12 * 64 * 64 + 13 * 64) + 2 * 64);
  auto opset = llvm::find_if(model.properties,
                             [](auto &p) { return p.first == "opset"; });
  ASSERT_NE(opset, model.properties.end());
  EXPECT_EQ(opset->second, "23");
}

TEST_F(ImportTest, AMissingFileIsAnError) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
  });
  EXPECT_TRUE(failed(importONNX(input("no_such_model"), &context)));
  EXPECT_NE(messages.find("cannot read '"), std::string::npos) << messages;
}

TEST(LooksLikeONNX, TellsModelsFromTextAndBytecode) {
  auto looks = [](StringRef bytes) {
    return looksLikeONNX(llvm::MemoryBufferRef(bytes, "x"));
  };
  for (StringRef name : {"gpt2", "ops", "external_absent", "functions"}) {
    auto buffer = llvm::MemoryBuffer::getFile(input(name));
    ASSERT_TRUE(bool(buffer));
    EXPECT_TRUE(looks((*buffer)->getBuffer())) << name.str();
  }
  EXPECT_FALSE(looks(""));
  EXPECT_FALSE(looks("\x08"));
  EXPECT_FALSE(looks("module {}"));
  EXPECT_FALSE(looks("\n\t// A comment\nfunc.func @f()"));
  EXPECT_FALSE(looks("ML\xefR\x0dMLIR22.1.8"));
  EXPECT_FALSE(looks(StringRef("\x08\x0a\x07\x00", 4)));
}

} // namespace
