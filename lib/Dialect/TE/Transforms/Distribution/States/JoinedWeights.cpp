// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/States/JoinedWeights.h"

#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::te;

std::optional<JoinedWeight> mlir::te::findJoinedWeight(tensor::ConcatOp concat,
                                                       const ShardPlan &plan) {
  RankedTensorType type = concat.getResultType();
  if (concat.getDim() != 0 || type.getRank() != 2 ||
      type.getDimSize(0) % kFp8Alignment != 0 ||
      type.getDimSize(1) % kFp8Alignment != 0)
    return std::nullopt;
  JoinedWeight weight = {concat, {}};
  for (Value operand : concat.getInputs()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    auto function =
        argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                 : func::FuncOp();
    const FlatShards *parts =
        function ? plan.find(function, argument.getArgNumber()) : nullptr;
    if (!parts || !parts->isInRows())
      return std::nullopt;
    weight.parts.push_back(parts);
  }
  for (Operation *user : concat->getUsers()) {
    auto quantize = dyn_cast<QuantizeOp>(user);
    if (user->getBlock() != concat->getBlock() ||
        !((quantize && !quantize.getDbias()) || isa<AmaxOp>(user)))
      return std::nullopt;
  }
  return weight;
}

Value mlir::te::joinShards(OpBuilder &builder, const JoinedWeight &weight) {
  int64_t rows = 0;
  for (const FlatShards *parts : weight.parts)
    rows += parts->getPart().front();
  tensor::ConcatOp concat = weight.concat;
  RankedTensorType type = concat.getResultType();
  return tensor::ConcatOp::create(
      builder, concat.getLoc(),
      RankedTensorType::get({rows, type.getDimSize(1)}, type.getElementType()),
      /*dim=*/0, concat.getInputs());
}

Value mlir::te::gatherJoined(OpBuilder &builder, Location loc,
                             const JoinedWeight &weight, Value copy) {
  auto type = cast<RankedTensorType>(copy.getType());
  int64_t row = 0;
  SmallVector<Value> rows;
  for (const FlatShards *parts : weight.parts) {
    const int64_t count = parts->getPart().front();
    rows.push_back(sliceDim(builder, loc, copy, /*dim=*/0, row, count));
    row += count;
  }
  for (auto [parts, value] : llvm::zip_equal(weight.parts, rows))
    value = parts->gather(builder, loc, value);
  auto whole = RankedTensorType::get(
      {row * weight.parts.front()->getAxis().ranks, type.getDimSize(1)},
      type.getElementType());
  return tensor::ConcatOp::create(builder, loc, whole, /*dim=*/0, rows);
}

bool mlir::te::makeAvailable(Value value, Operation *place) {
  Operation *op = value.getDefiningOp();
  if (!op || op->isBeforeInBlock(place))
    return true;
  if (op == place || !isPure(op) || op->getNumRegions() != 0)
    return false;
  for (Value operand : op->getOperands())
    if (!makeAvailable(operand, place))
      return false;
  op->moveBefore(place);
  return true;
}
