// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number and kinds of each operator's inputs and outputs: one table,
// checked before a node is imported or folded.

#ifndef TE_LIB_FRONTEND_ONNX_OPERANDRULES_H
#define TE_LIB_FRONTEND_ONNX_OPERANDRULES_H

#include "Node.h"

#include "llvm/ADT/ArrayRef.h"

namespace mlir::te::onnx_import {

/// The operands of an operator, from ONNX's operator reference
/// (https://onnx.ai/onnx/operators). If versions (opset 17 to 25) differ, those
/// of the newest.
struct OperandRule {
  StringRef op;
  /// One word for each input: its kind, T a tensor, I one of integers, B one of
  /// booleans, S a sequence; then ? if it may be left out, * if it stands for
  /// one or more inputs (the last word).
  StringRef inputs;
  unsigned minOutputs = 1, maxOutputs = 1;

  struct Input {
    char kind;
    bool isOptional, isRepeated;
  };
  SmallVector<Input> getInputs() const;
  /// The least and greatest number of inputs.
  unsigned getMinInputs() const;
  unsigned getMaxInputs() const;
};

/// The kind of value of a node's input.
enum class OperandKind { Integers, Booleans, OtherTensor, Sequence };

/// All rules, by the operators' names.
ArrayRef<OperandRule> getOperandRules();
/// The rule of an operator, or null.
const OperandRule *findOperandRule(StringRef op);

/// The mismatch between a node's inputs and outputs and `rule`; empty if there
/// is none. `kindOf` gives the kind of an input that is present.
std::string checkOperands(const OperandRule &rule, const Node &node,
                          function_ref<OperandKind(size_t)> kindOf);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_OPERANDRULES_H
