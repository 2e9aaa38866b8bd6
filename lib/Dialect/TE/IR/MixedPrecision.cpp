// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MixedPrecisionOpInterface of the te ops: which values follow the compute
// type.

#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::te;

using Numbers = SmallVector<unsigned>;

// The gradient of a parameter stays in float32, as the parameter does.
// An addend has the result's type. A gradient of a weight stays in float32,
// unless it is added to something that is held in the compute type by now.
Numbers MatmulOp::getComputeResults() {
  bool isWgrad = getRole() == MatmulRole::Wgrad;
  bool addsToWide =
      !getAddend() || getAddend().getType().getElementType().isF32();
  return isWgrad && addsToWide ? Numbers{} : Numbers{0};
}
Numbers MatmulOp::getComputeOperands() {
  if (!getAddend() || getRole() == MatmulRole::Wgrad)
    return {0, 1};
  return {0, 1, getODSOperandIndexAndLength(3).first};
}
Numbers MatmulOp::getConvertibleResults() {
  // An addend gives its buffer to the result.
  return getAddend() ? Numbers{} : Numbers{0};
}

Numbers LayerNormOp::getComputeResults() { return {0}; }
Numbers LayerNormOp::getComputeOperands() { return {0}; }

Numbers LayerNormGradOp::getComputeResults() { return {0}; }
Numbers LayerNormGradOp::getComputeOperands() { return {0, 1}; }
Numbers LayerNormGradOp::getConvertibleResults() {
  return getDx() ? Numbers{0, 1, 2} : Numbers{0, 1};
}
Numbers LayerNormGradOp::getWidenableResults() {
  return getConvertibleResults();
}

Numbers ActivationOp::getComputeResults() { return {0}; }
Numbers ActivationOp::getComputeOperands() { return {0}; }

Numbers ActivationGradOp::getComputeResults() { return {0}; }
Numbers ActivationGradOp::getComputeOperands() { return {0, 1}; }

/// An optional operand, by number.
static Numbers numbersOf(MutableOperandRange operands) {
  return llvm::map_to_vector(
      operands, [](OpOperand &operand) { return operand.getOperandNumber(); });
}

Numbers AttentionOp::getComputeResults() { return {0}; }
Numbers AttentionOp::getComputeOperands() { return {0, 1, 2}; }
Numbers AttentionOp::getFloat32Operands() {
  return numbersOf(getSinksMutable());
}

Numbers AttentionGradOp::getComputeResults() { return {0, 1, 2}; }
Numbers AttentionGradOp::getComputeOperands() { return {0, 1, 2, 3, 4}; }
Numbers AttentionGradOp::getFloat32Operands() {
  Numbers numbers = numbersOf(getSinksMutable());
  numbers.push_back(getLseMutable().getOperandNumber());
  return numbers;
}

// Tables are read where they are: a gather needs no converted copy.
Numbers EmbeddingOp::getComputeResults() { return {0}; }

Numbers EmbeddingGradOp::getConvertibleResults() { return {0}; }

Numbers CrossEntropyGradOp::getComputeResults() { return {0}; }

bool mlir::te::isGradientSum(Value value) {
  while (auto movement = value.getDefiningOp<DataMovementOpInterface>()) {
    if (!movement.keepsOrder())
      return false;
    value = movement->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast_if_present<FunctionOpInterface>(
                             argument.getOwner()->getParentOp())
                       : FunctionOpInterface();
  auto kind = func ? func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                       kKindAttr)
                   : StringAttr();
  return kind && kind.getValue() == "gradient";
}

// A sum follows what it adds: of activations it is one, of parameter gradients
// (a tied parameter has several, and each microbatch) it stays in float32.
Numbers AddOp::getComputeResults() {
  bool wide = (getElementTypeOrSelf(getA()).isF32() &&
               getElementTypeOrSelf(getB()).isF32()) ||
              isGradientSum(getA()) || isGradientSum(getB());
  return wide ? Numbers{} : Numbers{0};
}
Numbers AddOp::getConvertibleResults() { return {0}; }
Numbers AddOp::getWidenableResults() { return {0}; }

Numbers ColumnSumOp::getConvertibleResults() { return {0}; }
