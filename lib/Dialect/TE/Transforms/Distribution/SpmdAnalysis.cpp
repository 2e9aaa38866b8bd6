// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/SpmdAnalysis.h"

#include "Training/DropoutSeed.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
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
  return kind == "gradient" || kind == "accumulator";
}

AxisSet mlir::te::getPartAxes(DictionaryAttr attrs) {
  auto shard = attrs ? attrs.getAs<ShardAttr>(kShardAttr) : ShardAttr();
  return shard ? shard.getDimAxes() | shard.getFlatAxes() : 0;
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
    Agreement results = getResults(&op);
    for (Value result : op.getResults())
      values[result] = results;
  }
}

Agreement SpmdAnalysis::getArgument(unsigned argument) {
  // What a rank has for itself: its data, and what it drops out of them.
  auto scalar = function.getArgAttrOfType<StringAttr>(argument, kScalarAttr);
  if (function.getArgAttr(argument, kInputAttr) ||
      (scalar && scalar.getValue() == kDropoutSeed))
    return {data, 0};
  AxisSet parts = getPartAxes(function.getArgAttrDict(argument));
  auto kind = function.getArgAttrOfType<StringAttr>(argument, kKindAttr);
  return {parts | (kind && isOwnStateKind(kind) ? terms : 0), 0};
}

Agreement SpmdAnalysis::getOperands(Operation *op) const {
  Agreement agreement;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      agreement = agreement.join(get(operand));
  });
  return agreement;
}

Agreement SpmdAnalysis::getResults(Operation *op) const {
  Agreement operands = getOperands(op);
  return llvm::TypeSwitch<Operation *, Agreement>(op)
      .Case<shard::AllReduceOp, shard::AllGatherOp>([&](auto collective) {
        return operands.afterReduction(toAxisSet(collective.getGridAxes()));
      })
      .Case([&](ReduceScalarsOp exchange) {
        return operands.afterReduction(toAxisSet(exchange.getGridAxes()));
      })
      // Each rank gets a part of what they have together.
      .Case<shard::AllSliceOp, shard::ReduceScatterOp>([&](auto collective) {
        AxisSet own = operands.own | toAxisSet(collective.getGridAxes());
        return Agreement{own, operands.reduced & ~own};
      })
      .Default([&](Operation *) {
        // Collectives that give ranks parts, and places in the mesh.
        return isa_and_present<shard::ShardDialect>(op->getDialect())
                   ? Agreement{all, 0}
                   : operands;
      });
}
