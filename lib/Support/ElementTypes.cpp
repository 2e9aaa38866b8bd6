// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Support/ElementTypes.h"

#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

std::optional<std::string> mlir::te::getElementTypeProblem(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  // Formats of at most eight bits are for quantized tensors.
  if (!element || element.isF32() || element.isBF16() ||
      element.getWidth() <= 8)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text)
      << "element type " << element
      << " is not supported; export in float32 or bfloat16";
  return text;
}

std::optional<std::string> mlir::te::getElementTypesProblem(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (auto reason = getElementTypeProblem(type))
        return reason;
  return std::nullopt;
}

std::optional<std::string> mlir::te::getRoundingProblem(Operation *op) {
  auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op);
  auto mode =
      rounding ? rounding.getRoundingModeAttr() : arith::RoundingModeAttr();
  if (!mode || mode.getValue() == arith::RoundingMode::to_nearest_even)
    return std::nullopt;
  return ("rounds " + stringifyRoundingMode(mode.getValue()) +
          "; only to_nearest_even is computed")
      .str();
}

LogicalResult mlir::te::refuseEncodings(Operation *root) {
  UnsupportedList list;
  auto check = [&](Value value, Operation *op) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.getEncoding())
      return;
    std::string what;
    llvm::raw_string_ostream(what) << type;
    list.add(what, "", "", op->getLoc());
  };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      check(result, op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          check(argument, op);
  });
  if (list.empty())
    return success();
  return list.emit(root->getLoc(),
                   "tensor types with encodings are not supported: programs "
                   "store elements densely, in row-major order; lower the "
                   "encodings, or leave them out");
}
