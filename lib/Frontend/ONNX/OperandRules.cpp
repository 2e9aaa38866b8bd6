// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperandRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <climits>

using namespace mlir;
using namespace mlir::te::onnx_import;

static constexpr unsigned kAny = INT_MAX;

/// Sorted by name. May contain operators that are not imported yet.
static constexpr OperandRule kRules[] = {
    {"Abs", "T"},
    {"Add", "T T"},
    {"And", "B B"},
    {"ArgMax", "T"},
    {"ArgMin", "T"},
    {"Attention", "T T T T? T? T? I?", 1, 4},
    {"AveragePool", "T"},
    {"BatchNormalization", "T T T T T", 1, 3},
    {"Cast", "T"},
    {"CastLike", "T T"},
    {"Ceil", "T"},
    {"Clip", "T T? T?"},
    {"Concat", "T*"},
    {"Constant", ""},
    {"ConstantOfShape", "I"},
    {"Conv", "T T T?"},
    {"Cos", "T"},
    {"Cosh", "T"},
    {"CumSum", "T I"},
    {"DFT", "T I? I?"},
    {"Div", "T T"},
    {"Dropout", "T T? B?", 1, 2},
    {"Einsum", "T*"},
    {"Elu", "T"},
    {"Equal", "T T"},
    {"Erf", "T"},
    {"Exp", "T"},
    {"Expand", "T I"},
    {"Flatten", "T"},
    {"Floor", "T"},
    {"Gather", "T I"},
    {"GatherElements", "T I"},
    {"GatherND", "T I"},
    {"Gelu", "T"},
    {"Gemm", "T T T?"},
    {"GlobalAveragePool", "T"},
    {"Greater", "T T"},
    {"GreaterOrEqual", "T T"},
    {"GroupNormalization", "T T T"},
    {"HardSigmoid", "T"},
    {"HardSwish", "T"},
    {"Identity", "T"},
    {"InstanceNormalization", "T T T"},
    {"IsInf", "T"},
    {"IsNaN", "T"},
    {"LayerNormalization", "T T T?", 1, 3},
    {"LeakyRelu", "T"},
    {"Less", "T T"},
    {"LessOrEqual", "T T"},
    {"Log", "T"},
    {"LogSoftmax", "T"},
    {"MatMul", "T T"},
    {"Max", "T*"},
    {"MaxPool", "T", 1, 2},
    {"Min", "T*"},
    {"Mish", "T"},
    {"Mod", "T T"},
    {"Mul", "T T"},
    {"Neg", "T"},
    {"Not", "B"},
    {"Or", "B B"},
    {"PRelu", "T T"},
    {"Pad", "T I T? I?"},
    {"Pow", "T T"},
    {"RMSNormalization", "T T"},
    {"Range", "T T T"},
    {"Reciprocal", "T"},
    {"ReduceL1", "T I?"},
    {"ReduceL2", "T I?"},
    {"ReduceLogSumExp", "T I?"},
    {"ReduceMax", "T I?"},
    {"ReduceMean", "T I?"},
    {"ReduceMin", "T I?"},
    {"ReduceProd", "T I?"},
    {"ReduceSum", "T I?"},
    {"ReduceSumSquare", "T I?"},
    {"Relu", "T"},
    {"Reshape", "T I"},
    {"Resize", "T T? T? I?"},
    {"RotaryEmbedding", "T T T I?"},
    {"Round", "T"},
    {"ScatterElements", "T I T"},
    {"ScatterND", "T I T"},
    {"Selu", "T"},
    {"SequenceAt", "S I"},
    {"Shape", "T"},
    {"Sigmoid", "T"},
    {"Sign", "T"},
    {"Sin", "T"},
    {"Sinh", "T"},
    {"Size", "T"},
    {"Slice", "T I I I? I?"},
    {"Softmax", "T"},
    {"SoftmaxCrossEntropyLoss", "T I T?", 1, 2},
    {"Softplus", "T"},
    {"Softsign", "T"},
    {"Split", "T I?", 1, kAny},
    {"SplitToSequence", "T I?"},
    {"Sqrt", "T"},
    {"Squeeze", "T I?"},
    {"Sub", "T T"},
    {"Sum", "T*"},
    {"Swish", "T"},
    {"Tanh", "T"},
    {"Tile", "T I"},
    {"TopK", "T I", 2, 2},
    {"Transpose", "T"},
    {"Trilu", "T I?"},
    {"Unsqueeze", "T I"},
    {"Where", "B T T"},
    {"Xor", "B B"},
};

SmallVector<OperandRule::Input> OperandRule::getInputs() const {
  SmallVector<Input> list;
  for (StringRef word : llvm::split(inputs, ' '))
    if (!word.empty())
      list.push_back({word.front(), word.ends_with("?"), word.ends_with("*")});
  return list;
}

unsigned OperandRule::getMinInputs() const {
  unsigned count = 0;
  for (auto [i, input] : llvm::enumerate(getInputs()))
    if (!input.isOptional)
      count = i + 1;
  return count;
}

unsigned OperandRule::getMaxInputs() const {
  SmallVector<Input> list = getInputs();
  return !list.empty() && list.back().isRepeated ? kAny : list.size();
}

ArrayRef<OperandRule> mlir::te::onnx_import::getOperandRules() {
  return kRules;
}

const OperandRule *mlir::te::onnx_import::findOperandRule(StringRef op) {
  const OperandRule *rule =
      llvm::lower_bound(kRules, op, [](const OperandRule &rule, StringRef op) {
        return rule.op < op;
      });
  return rule != std::end(kRules) && rule->op == op ? rule : nullptr;
}

/// "2 inputs", "1 to 3 outputs", "at least 1 input"
static std::string describeCount(unsigned least, unsigned most,
                                 StringRef what) {
  std::string text =
      most == kAny    ? "at least " + std::to_string(least)
      : least == most ? std::to_string(least)
                      : std::to_string(least) + " to " + std::to_string(most);
  unsigned last = most == kAny ? least : most;
  return text + " " + what.str() + (last == 1 ? "" : "s");
}

static StringRef findMismatch(char expected, OperandKind kind) {
  if (expected == 'S')
    return kind == OperandKind::Sequence ? "" : "is not a sequence";
  if (kind == OperandKind::Sequence)
    return "is a sequence, not a tensor";
  if (expected == 'I' && kind != OperandKind::Integers)
    return "is not made of integers";
  if (expected == 'B' && kind != OperandKind::Booleans)
    return "is not made of booleans";
  return "";
}

std::string
mlir::te::onnx_import::checkOperands(const OperandRule &rule, const Node &node,
                                     function_ref<OperandKind(size_t)> kindOf) {
  unsigned least = rule.getMinInputs(), most = rule.getMaxInputs();
  if (node.getNumInputs() < least || node.getNumInputs() > most)
    return "it has " +
           describeCount(node.getNumInputs(), node.getNumInputs(), "input") +
           ", where the operator takes " + describeCount(least, most, "input");
  unsigned outputs = node.getNumOutputs();
  if (outputs < rule.minOutputs || outputs > rule.maxOutputs)
    return "it has " + describeCount(outputs, outputs, "output") +
           ", where the operator has " +
           describeCount(rule.minOutputs, rule.maxOutputs, "output");
  SmallVector<OperandRule::Input> inputs = rule.getInputs();
  for (size_t i = 0; i < node.getNumInputs(); ++i) {
    const OperandRule::Input &input = inputs[std::min(i, inputs.size() - 1)];
    if (!node.hasInput(i)) {
      if (input.isOptional)
        continue;
      return "input " + std::to_string(i) +
             " is left out, which the operator "
             "needs";
    }
    if (StringRef mismatch = findMismatch(input.kind, kindOf(i));
        !mismatch.empty())
      return ("input " + Twine(i) + " " + mismatch).str();
  }
  return "";
}
