// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/States/GradientSum.h"

#include "te/Support/SkipOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

/// What `value` is another shape of.
static Value skipReshapes(Value value) {
  return skipOps<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(value);
}

/// Whether all ranks along the axis have the rows of all of them.
static bool isGatheredAlong(Value rows, const ShardAxis &axis) {
  auto gather = skipReshapes(rows).getDefiningOp<shard::AllGatherOp>();
  return gather && gather.getGrid() == axis.grid &&
         llvm::is_contained(gather.getGridAxes(), axis.axis);
}

GradientSum GradientSum::find(Value gradient, const ShardAxis &axis) {
  GradientSum found;
  gradient = skipReshapes(gradient);
  auto add = gradient.getDefiningOp<AddOp>();
  if (add && getElementTypeOrSelf(add.getY().getType()).isF32())
    for (auto [sum, rows] :
         {std::pair(add.getA(), add.getB()), std::pair(add.getB(), add.getA())})
      if (auto lookups = rows.getDefiningOp<EmbeddingGradOp>();
          lookups && sum.hasOneUse() && sum.getType() == rows.getType() &&
          isGatheredAlong(lookups.getIds(), axis) &&
          isGatheredAlong(lookups.getDy(), axis)) {
        found.addition = add;
        found.lookups = lookups;
        gradient = skipReshapes(sum);
        break;
      }
  auto sum = gradient.getDefiningOp<shard::AllReduceOp>();
  if (sum && sum.getReduction() == shard::ReductionKind::Sum &&
      llvm::is_contained(sum.getGridAxes(), axis.axis) &&
      sum.getGrid() == axis.grid)
    found.collective = sum;
  return found;
}

shard::AllReduceOp GradientSum::findUnshared(Value gradient) {
  while (gradient.hasOneUse() &&
         isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
             gradient.getDefiningOp()))
    gradient = gradient.getDefiningOp()->getOperand(0);
  auto sum = gradient.getDefiningOp<shard::AllReduceOp>();
  return sum && gradient.hasOneUse() &&
                 sum.getReduction() == shard::ReductionKind::Sum
             ? sum
             : shard::AllReduceOp();
}
