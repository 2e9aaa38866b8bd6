// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operator on constants is evaluated, and as ONNX's reference evaluator
// does (Inputs/make_every_constant.py).

#include "GraphImporter.h"

#include "te/Frontend/ONNX/ImportONNX.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

#include "onnx/onnx_pb.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

static constexpr const char *kModel = TE_TEST_INPUTS "/every_constant.onnx";

TEST(EveryConstant, HasEveryImporter) {
  // Randomness is none of constants; sequences are told by their pieces.
  const llvm::StringSet<> none = {"Dropout", "SequenceAt", "SplitToSequence"};
  ::onnx::ModelProto model;
  std::ifstream file(kModel, std::ios::binary);
  ASSERT_TRUE(model.ParseFromIstream(&file));
  llvm::StringSet<> tried;
  for (const ::onnx::NodeProto &node : model.graph().node())
    tried.insert(node.op_type());
  for (const auto &handler : getHandlerTable())
    EXPECT_TRUE(tried.contains(handler.getKey()) ||
                none.contains(handler.getKey()))
        << "add " << handler.getKey().str()
        << " to make_every_constant.py, or say here why it has no constants";
}

static void compare(DenseElementsAttr own, DenseElementsAttr expected) {
  ASSERT_EQ(own.getType(), expected.getType());
  if (!isa<FloatType>(own.getElementType())) {
    EXPECT_EQ(own, expected);
    return;
  }
  double largest = 1;
  for (float value : expected.getValues<float>())
    largest = std::max(largest, std::abs(double(value)));
  for (auto [value, wanted] :
       llvm::zip_equal(own.getValues<float>(), expected.getValues<float>()))
    EXPECT_NEAR(value, wanted, 2e-6 * largest);
}

TEST(EveryConstant, IsEvaluated) {
  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      messages += note.str() + "\n";
  });
  auto model = importONNX(kModel, &context);
  ASSERT_TRUE(succeeded(model)) << messages;
  auto forward = model->module->lookupSymbol<func::FuncOp>("forward");
  Operation *end = forward.getBody().front().getTerminator();
  ASSERT_GT(end->getNumOperands(), 150u);
  for (unsigned i = 0; i < end->getNumOperands(); i += 2) {
    std::string name =
        forward.getResultAttrOfType<StringAttr>(i, kOutputAttr).str();
    SCOPED_TRACE(name);
    DenseElementsAttr own, expected;
    EXPECT_TRUE(matchPattern(end->getOperand(i), m_Constant(&own)));
    EXPECT_TRUE(matchPattern(end->getOperand(i + 1), m_Constant(&expected)));
    if (own && expected)
      compare(own, expected);
  }
}
