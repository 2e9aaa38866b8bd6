// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/Layers.h"

#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Support/Captures.h"

using namespace mlir;
using namespace mlir::te;

ParameterValues::ParameterValues(func::FuncOp func) {
  if (func.isDeclaration())
    return;
  for (BlockArgument argument : func.getArguments())
    if (!getArgumentText(argument, kParamAttr).empty())
      values.insert(argument);
  visit(func.getBody());
}

/// Definitions come before uses, except along back edges between blocks: values
/// from those are not taken for weights.
void ParameterValues::visit(Region &region) {
  auto isKnown = [&](Value value) { return values.contains(value); };
  for (Block &block : region) {
    for (Operation &op : block) {
      for (Region &nested : op.getRegions())
        visit(nested);
      if (isMemoryEffectFree(&op) && llvm::all_of(getReadValues(&op), isKnown))
        values.insert(op.result_begin(), op.result_end());
    }
  }
}

StringRef ParameterValues::getParam(Value value) const {
  SmallVector<Value> worklist = {value};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    value = worklist.pop_back_val();
    if (!contains(value) || !seen.insert(value).second)
      continue;
    if (StringRef name = getArgumentText(value, kParamAttr); !name.empty())
      return name;
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(worklist, llvm::reverse(getReadValues(op)));
  }
  return {};
}

std::optional<Fp8Refusal> ParameterValues::checkRoles(Fp8OpInterface op) const {
  for (const Fp8Operand &operand : op.getFp8Operands()) {
    if (operand.role != TensorRole::Weight ||
        contains(op->getOperand(operand.operandNumber)))
      continue;
    // With the roles swapped, rows of the result are features.
    bool otherIsWeight =
        llvm::any_of(op.getFp8Operands(), [&](const Fp8Operand &other) {
          return other.role == TensorRole::Input &&
                 !getParam(op->getOperand(other.operandNumber)).empty();
        });
    if (otherIsWeight)
      return Fp8Refusal{"its weight is its left operand, and the right one is "
                        "computed from an input",
                        "write it as input times weight"};
    return Fp8Refusal{
        "it multiplies two activations: operand " +
            std::to_string(operand.operandNumber) +
            " is not computed from parameters alone, so it has no weight",
        "if that operand is a weight, mark the argument that holds it with "
        "te.param"};
  }
  return std::nullopt;
}

std::optional<Fp8Refusal> mlir::te::checkScales(Fp8OpInterface op,
                                                RecipeAttrInterface recipe) {
  if (op.takesScaleBlocks())
    return std::nullopt;
  for (const Fp8Operand &operand : op.getFp8Operands()) {
    auto type =
        cast<ShapedType>(op->getOperand(operand.operandNumber).getType());
    if (!recipe.getScaleShape(operand.role, type.getShape()).empty())
      return Fp8Refusal{
          ("its FP8 form takes one scale a tensor, and the recipe " +
           recipe.getRecipeName() + " has several")
              .str(),
          "choose a recipe with one, such as current_scaling"};
  }
  return std::nullopt;
}
