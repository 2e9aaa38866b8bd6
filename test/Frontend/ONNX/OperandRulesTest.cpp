// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of operands: complete, what ONNX says, and heeded.

#include "OperandRules.h"
#include "GraphImporter.h"

#include "te/Frontend/ONNX/ImportONNX.h"

#include "llvm/ADT/StringSet.h"

#include "onnx/defs/schema.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

namespace {
/// More than any operator with a fixed number of inputs has.
constexpr int kMany = 9;

/// What is imported.
llvm::StringSet<> getOperators() {
  llvm::StringSet<> operators;
  for (const auto &handler : getHandlerTable())
    operators.insert(handler.getKey());
  for (const auto &fold : getFoldTable())
    operators.insert(fold.getKey());
  for (StringRef other : {"Constant", "Shape", "Size"})
    operators.insert(other);
  return operators;
}

/// The rules of what is imported.
SmallVector<OperandRule> getUsedRules() {
  llvm::StringSet<> operators = getOperators();
  SmallVector<OperandRule> rules;
  llvm::copy_if(
      getOperandRules(), std::back_inserter(rules),
      [&](const OperandRule &rule) { return operators.contains(rule.op); });
  return rules;
}

/// A model of one node on the float [2,3] inputs x, with integers i, booleans b
/// and a sequence s at hand. Inputs are named by letters, "-" is left out.
::onnx::ModelProto makeModel(StringRef op, StringRef inputs, int outputs) {
  ::onnx::ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(23);
  ::onnx::GraphProto &graph = *model.mutable_graph();
  for (auto [name, type] : {std::pair{"x", ::onnx::TensorProto::FLOAT},
                            std::pair{"i", ::onnx::TensorProto::INT64}}) {
    ::onnx::ValueInfoProto &input = *graph.add_input();
    input.set_name(name);
    auto &tensor = *input.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(type);
    for (int size : {2, 3})
      tensor.mutable_shape()->add_dim()->set_dim_value(size);
  }
  auto addNode = [&](StringRef type, std::vector<std::string> from,
                     std::vector<std::string> to) {
    ::onnx::NodeProto &node = *graph.add_node();
    node.set_op_type(type.str());
    for (const std::string &name : from)
      node.add_input(name);
    for (const std::string &name : to)
      node.add_output(name);
  };
  addNode("Less", {"x", "x"}, {"b"});
  addNode("SplitToSequence", {"x"}, {"s"});
  std::vector<std::string> from, to;
  for (char letter : inputs)
    from.push_back(letter == '-' ? "" : std::string(1, letter));
  for (int i = 0; i < outputs; ++i)
    to.push_back("y" + std::to_string(i));
  addNode(op, from, to);
  graph.add_output()->set_name(outputs ? "y0" : "x");
  return model;
}

/// What importing says; empty if it succeeds.
std::string import(MLIRContext &context, const ::onnx::ModelProto &model) {
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      messages += note.str() + "\n";
  });
  auto imported = importONNX(
      llvm::MemoryBufferRef(model.SerializeAsString(), "node.onnx"), &context);
  EXPECT_TRUE(succeeded(imported) || !messages.empty());
  return succeeded(imported) ? "" : messages;
}

char letterOf(char kind) {
  return kind == 'I' ? 'i' : kind == 'B' ? 'b' : kind == 'S' ? 's' : 'x';
}

/// Right inputs for the first `count` words of a rule.
std::string makeInputs(const OperandRule &rule, int count) {
  SmallVector<OperandRule::Input> kinds = rule.getInputs();
  std::string inputs;
  for (int i = 0; i < count; ++i)
    inputs += kinds.empty()
                  ? 'x'
                  : letterOf(kinds[std::min<size_t>(i, kinds.size() - 1)].kind);
  return inputs;
}
} // namespace

TEST(OperandRules, EveryOperatorHasOne) {
  for (const auto &op : getOperators())
    EXPECT_NE(findOperandRule(op.getKey()), nullptr)
        << "add " << op.getKey().str() << " to OperandRules.cpp";
  EXPECT_TRUE(llvm::is_sorted(
      getOperandRules(),
      [](const OperandRule &a, const OperandRule &b) { return a.op < b.op; }));
}

// ONNX's own library, as old as it is (opset 17), against the table.
TEST(OperandRules, AreThoseOfONNX) {
  // Since opset 18 the axes of reductions are an input, and so are those of a
  // padding; since opset 20 that of a DFT.
  const llvm::StringSet<> changed = {
      "ReduceMean", "ReduceMax",       "ReduceMin",
      "ReduceProd", "ReduceLogSumExp", "ReduceSumSquare",
      "ReduceL1",   "ReduceL2",        "Pad",
      "DFT"};
  int compared = 0;
  for (const OperandRule &rule : getOperandRules()) {
    const ::onnx::OpSchema *schema =
        ::onnx::OpSchemaRegistry::Schema(rule.op.str(), 17);
    if (!schema || changed.contains(rule.op))
      continue;
    ++compared;
    EXPECT_EQ(rule.getMinInputs(), unsigned(schema->min_input()))
        << rule.op.str();
    EXPECT_EQ(rule.getMaxInputs(), unsigned(schema->max_input()))
        << rule.op.str();
    EXPECT_EQ(rule.minOutputs, unsigned(schema->min_output())) << rule.op.str();
    EXPECT_EQ(rule.maxOutputs, unsigned(schema->max_output())) << rule.op.str();
    SmallVector<OperandRule::Input> inputs = rule.getInputs();
    for (auto [input, formal] : llvm::zip(inputs, schema->inputs()))
      EXPECT_EQ(input.isOptional,
                formal.GetOption() == ::onnx::OpSchema::Optional)
          << rule.op.str() << " " << formal.GetName();
  }
  EXPECT_GT(compared, 60);
}

// Every operator with every number of inputs and outputs: an answer, and for a
// wrong number the one that says so.
TEST(OperandRules, WrongNumbersAreRefused) {
  MLIRContext context;
  for (const OperandRule &rule : getUsedRules())
    for (int inputs = 0; inputs <= kMany; ++inputs)
      for (int outputs : {0, 1, 2, 5}) {
        std::string said = import(
            context, makeModel(rule.op, makeInputs(rule, inputs), outputs));
        bool fits = unsigned(inputs) >= rule.getMinInputs() &&
                    unsigned(inputs) <= rule.getMaxInputs();
        bool made = unsigned(outputs) >= rule.minOutputs &&
                    unsigned(outputs) <= rule.maxOutputs;
        if (fits && made)
          continue;
        EXPECT_NE(said.find(fits ? "where the operator has"
                                 : "where the operator takes"),
                  std::string::npos)
            << rule.op.str() << " of " << inputs << " with " << outputs << ": "
            << said;
      }
}

// Every input left out, or of another kind, in turn.
TEST(OperandRules, LeftOutInputsAndOtherKinds) {
  MLIRContext context;
  for (const OperandRule &rule : getUsedRules()) {
    SmallVector<OperandRule::Input> kinds = rule.getInputs();
    for (size_t i = 0; i < kinds.size(); ++i)
      for (char other : {'-', 'x', 'i', 'b', 's'}) {
        std::string inputs = makeInputs(rule, int(kinds.size()));
        inputs[i] = other;
        std::string said =
            import(context, makeModel(rule.op, inputs, int(rule.minOutputs)));
        std::string expected =
            other == '-'           ? "is left out"
            : other == 's'         ? "is a sequence"
            : kinds[i].kind == 'S' ? "is not a sequence"
            : kinds[i].kind == 'I' ? "is not made of integers"
            : kinds[i].kind == 'B' ? "is not made of booleans"
                                   : "";
        bool allowed = other == '-'
                           ? kinds[i].isOptional
                           : other == letterOf(kinds[i].kind) ||
                                 (kinds[i].kind == 'T' && other != 's');
        if (!allowed)
          EXPECT_NE(said.find(expected), std::string::npos)
              << rule.op.str() << "(" << inputs << "): " << said;
      }
  }
}
