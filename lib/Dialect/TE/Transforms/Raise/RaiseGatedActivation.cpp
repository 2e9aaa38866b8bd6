// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/Matchers.h"
#include "Raise/Raise.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"

using namespace mlir;
using namespace mlir::te;

/// The activation that makes all of `value`, which has one reader.
static ActivationOp getActivation(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  Value source = skipReshapes(value);
  auto op = source.getDefiningOp<ActivationOp>();
  return op && source == op.getY() && source.hasOneUse() && !op.getScale()
             ? op
             : nullptr;
}

/// activation(gate) * up, where up is a separate matrix and not a broadcast
/// number or vector.
static LogicalResult raiseGatedActivation(arith::MulFOp op,
                                          PatternRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || type.getRank() < 2 || !type.hasStaticShape())
    return rewriter.notifyMatchFailure(op, "not a matrix");
  ActivationOp activation = getActivation(op.getLhs());
  Value up = op.getRhs();
  if (!activation) {
    activation = getActivation(op.getRhs());
    up = op.getLhs();
  }
  if (!activation)
    return rewriter.notifyMatchFailure(op, "no activation read only here");
  Operation *source = skipReshapesAndCasts(up).getDefiningOp();
  if (source && (source->hasTrait<OpTrait::ConstantLike>() ||
                 isa<linalg::BroadcastOp>(source)))
    return rewriter.notifyMatchFailure(op, "times what repeats");
  RankedTensorType gate = activation.getX().getType();
  if (gate.getDimSize(1) != type.getShape().back() ||
      gate.getElementType() != type.getElementType())
    return rewriter.notifyMatchFailure(op, "its rows are not the gate's");
  Location loc = op.getLoc();
  auto gated = GatedActivationOp::create(rewriter, loc, activation.getKind(),
                                         activation.getX(),
                                         collapseToMatrix(rewriter, loc, up));
  rewriter.replaceOp(
      op, expandFromMatrix(rewriter, loc, gated.getY(), type.getShape()));
  return success();
}

void mlir::te::populateRaiseGatedActivationPatterns(
    RewritePatternSet &patterns) {
  patterns.add(raiseGatedActivation);
  GatedActivationOp::getCanonicalizationPatterns(patterns,
                                                 patterns.getContext());
}
