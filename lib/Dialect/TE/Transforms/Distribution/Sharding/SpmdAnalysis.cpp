// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Sharding/SpmdAnalysis.h"

#include "Training/DropoutSeed.h"
#include "te/Dialect/TE/IR/CollectiveInterface.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::te;

AxisSet mlir::te::toAxisSet(ArrayRef<shard::GridAxis> axes) {
  AxisSet set = 0;
  for (shard::GridAxis axis : axes)
    set |= AxisSet(1) << axis;
  return set;
}

bool mlir::te::isOwnStateKind(StringRef kind) {
  return kind == kGradientSumKind || kind == kLossSumKind || kind == kGuardKind;
}

SpmdAnalysis::SpmdAnalysis(func::FuncOp function, const Mesh &mesh)
    : function(function), all((AxisSet(1) << mesh.getAxes().size()) - 1) {
  auto except = [&](AxisSet axes, StringRef name) {
    std::optional<shard::GridAxis> axis = mesh.findAxis(name);
    return axis ? axes & ~(AxisSet(1) << *axis) : axes;
  };
  terms = except(all, kTensorAxis);
  data = except(terms, kContextAxis);
  for (BlockArgument argument : function.getArguments())
    values[argument] = getArgument(argument.getArgNumber());
  for (Operation &op : function.getBody().front()) {
    Agreement operands = getOperands(&op);
    for (OpResult result : op.getResults())
      values[result] = getResult(result, operands);
  }
}

/// Whether the op reads and writes tensors of one shape alone, and scalars.
static bool hasOneShape(Operation *op) {
  std::optional<ArrayRef<int64_t>> shape;
  auto isAlike = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return false;
    if (tensor.getRank() == 0)
      return true;
    if (!shape)
      shape = tensor.getShape();
    return *shape == tensor.getShape();
  };
  return llvm::all_of(op->getOperandTypes(), isAlike) &&
         llvm::all_of(op->getResultTypes(), isAlike);
}

bool mlir::te::movesShardElements(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ConcatOp,
             tensor::ExtractSliceOp>(op);
}

bool mlir::te::isElementwise(Operation *op) {
  // Copies of shards may be padded in their rows, and are not transposed.
  if (auto quantizing = dyn_cast<QuantizingOpInterface>(op))
    if (quantizing.getQuantization().columnwise)
      return false;
  if (isa<UpdateOp, QuantizeOp>(op))
    return true;
  return (isa<AddOp>(op) || op->hasTrait<OpTrait::Elementwise>()) &&
         hasOneShape(op);
}

Agreement SpmdAnalysis::getArgument(unsigned argument) {
  // What a rank has for itself: its data, and what it drops out of them.
  auto scalar = function.getArgAttrOfType<StringAttr>(argument, kScalarAttr);
  if (function.getArgAttr(argument, kInputAttr) ||
      (scalar && scalar.getValue() == kDropoutSeed))
    return {data, 0};
  auto kind = function.getArgAttrOfType<StringAttr>(argument, kKindAttr);
  auto state = function.getArgAttrOfType<StringAttr>(argument, kStateAttr);
  Agreement agreement;
  if (kind && state && isOwnStateKind(kind))
    agreement.own = getOwnAxes(kind);
  if (auto shard = function.getArgAttrOfType<ShardAttr>(argument, kShardAttr)) {
    agreement.parts = shard.getFlatAxes();
    agreement.own = (agreement.own | shard.getDimAxes()) & ~agreement.parts;
  }
  return agreement;
}

Agreement SpmdAnalysis::getOperands(Operation *op) const {
  Agreement agreement;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      agreement = agreement.join(get(operand));
  });
  return agreement;
}

Agreement SpmdAnalysis::getResult(OpResult result, Agreement operands) const {
  Operation *op = result.getOwner();
  auto scatter = [&](AxisSet axes) {
    // Ranks that share the model compute with their shards.
    Agreement parts = operands.afterScatter(axes & data);
    parts.own |= axes & ~data;
    parts.reduced &= ~parts.own;
    return parts;
  };
  if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
    const auto axes = AxisSet(collective.getMeshAxes());
    if (collective.getCollectiveKind() == CollectiveKind::AllToAll)
      return {operands.own | operands.parts | axes, operands.reduced & ~axes,
              0};
    return collective.getCollectiveKind() == CollectiveKind::ReduceScatter
               ? scatter(axes)
               : operands.afterReduction(axes);
  }
  return llvm::TypeSwitch<Operation *, Agreement>(op)
      .Case<ReduceScalarsOp, ReduceNormOp>([&](auto collective) {
        return operands.afterReduction(toAxisSet(collective.getGridAxes()));
      })
      .Case<shard::AllSliceOp, AllSliceSequenceOp>(
          [&](auto slice) { return scatter(toAxisSet(slice.getGridAxes())); })
      .Case([&](tensor::ExtractSliceOp slice) {
        // The scalars in one collective are independent of each other.
        auto collective = slice.getSource().getDefiningOp<ReduceScalarsOp>();
        Value own = getOwnMaximum(result);
        return own == result ? operands
                             : get(own).afterReduction(
                                   toAxisSet(collective.getGridAxes()));
      })
      .Case([&](SharedEmbeddingOp op) {
        // Rows of one table, replicated or sharded as the ids are.
        return get(op.getIds());
      })
      .Case<AddEmbeddingPartOp>([&](Operation *) { return operands; })
      .Default([&](Operation *) -> Agreement {
        // Other collectives, and places in the mesh.
        if (isa_and_present<shard::ShardDialect>(op->getDialect()))
          return {all, 0};
        if (movesShardElements(op))
          return operands;
        auto type = dyn_cast<RankedTensorType>(result.getType());
        return type && type.getRank() != 0 && isElementwise(op)
                   ? operands
                   : operands.withoutShards();
      });
}
