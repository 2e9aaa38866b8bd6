// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layers whose results are the logits or an output of a model.

#include "Precision/Layers.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/CollectiveInterface.h"
#include "te/Support/Captures.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::te;

/// Returns true if an op only moves, splits, joins or casts its operands.
static bool movesData(Operation *op) {
  return isa<DataMovementOpInterface, CastOpInterface>(op);
}

/// Returns true if a value is computed from few ops on parameters and constants
/// alone, such as a learned scale.
static bool isOfParameters(Value value) {
  constexpr size_t kMostValues = 32;
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (op ? values.size() > kMostValues || !isMemoryEffectFree(op)
           : getArgumentText(values[i], kParamAttr).empty())
      return false;
    if (op)
      values.insert_range(getReadValues(op));
  }
  return true;
}

/// Returns true if every element of an op's results is a function of one
/// element of one operand: an activation, or the arithmetic that caps or scales
/// logits, but no sum of two activations.
static bool isFunctionOf(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  bool isElementwise =
      structured ? structured.getNumParallelLoops() == structured.getNumLoops()
                 : isa<EpilogueOpInterface>(op) ||
                       OpTrait::hasElementwiseMappableTraits(op);
  return isElementwise && op->getNumResults() > 0 &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &other) {
           return other.get() == operand.get() || isOfParameters(other.get());
         });
}

/// Returns true if a use that `isWanted` is reached from a value through uses
/// that `passes`.
static bool reaches(Value value, function_ref<bool(OpOperand &)> isWanted,
                    function_ref<bool(OpOperand &)> passes) {
  SmallVector<Value> worklist = {value};
  llvm::SmallDenseSet<Value> seen = {value};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      if (isWanted(use))
        return true;
      if (passes(use))
        for (Value result : use.getOwner()->getResults())
          if (seen.insert(result).second)
            worklist.push_back(result);
    }
  }
  return false;
}

/// Returns true if an op's result is still the operand, the result of a linear
/// layer: moved, summed over ranks, or with the layer's bias added behind such
/// a sum. An addition of as many rows is one of something else, such as a
/// residual.
static bool keepsResult(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  if (movesData(op) || (collective && collective.getCollectiveKind() !=
                                          CollectiveKind::AllGather))
    return true;
  auto add = dyn_cast<AddOp>(op);
  return add && operand.get() == add.getA() &&
         add.getB().getType().getDimSize(0) == 1 &&
         add.getA().getType().getDimSize(0) > 1;
}

// An output is no output of the layer once it went through an activation: that
// of a piece of a model makes no head of the layer before it.
bool mlir::te::isModelResult(Value value, func::FuncOp func) {
  auto isLogits = [](OpOperand &use) {
    auto loss = dyn_cast<LossOpInterface>(use.getOwner());
    return loss && loss.getLogitsOperand() == use.getOperandNumber();
  };
  auto isOutput = [&](OpOperand &use) {
    return isa<func::ReturnOp>(use.getOwner()) &&
           func.getResultAttr(use.getOperandNumber(), kOutputAttr);
  };
  return reaches(value, isOutput, keepsResult) ||
         reaches(value, isLogits, [](OpOperand &use) {
           return keepsResult(use) || isFunctionOf(use);
         });
}
