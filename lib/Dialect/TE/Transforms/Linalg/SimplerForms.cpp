// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces ops by equivalent simpler ones.

#include "Linalg/Linalg.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

/// Replaces an scf.if with a constant condition by its branch.
static LogicalResult takeKnownWay(scf::IfOp op, PatternRewriter &rewriter) {
  APInt condition;
  if (!matchPattern(op.getCondition(), m_ConstantInt(&condition)))
    return rewriter.notifyMatchFailure(op, "no constant decides");
  Region &way = condition.isOne() ? op.getThenRegion() : op.getElseRegion();
  if (way.empty()) {
    rewriter.eraseOp(op);
    return success();
  }
  if (!way.hasOneBlock())
    return rewriter.notifyMatchFailure(op, "has more blocks than one");
  Operation *end = way.front().getTerminator();
  SmallVector<Value> results(end->getOperands());
  rewriter.eraseOp(end);
  rewriter.inlineBlockBefore(&way.front(), op);
  rewriter.replaceOp(op, results);
  return success();
}

/// Replaces tensor.generate by a linalg.generic that reads its loop counters.
static LogicalResult generateToGeneric(tensor::GenerateOp op,
                                       PatternRewriter &rewriter) {
  if (!cast<RankedTensorType>(op.getType()).hasStaticShape())
    return rewriter.notifyMatchFailure(op, "its shape is not known");
  return linalg::rewriteInDestinationPassingStyle(rewriter, op);
}

/// Replaces linalg.pack by padding, a reshape and a transpose.
static LogicalResult expandPack(linalg::PackOp op, PatternRewriter &rewriter) {
  if (!op.hasPureTensorSemantics() || !op.getSourceType().hasStaticShape() ||
      !op.getDestType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "its shape is not known");
  return linalg::lowerPack(rewriter, op);
}

/// Replaces linalg.unpack by a transpose, a reshape and a slice.
static LogicalResult expandUnPack(linalg::UnPackOp op,
                                  PatternRewriter &rewriter) {
  if (!op.hasPureTensorSemantics() || !op.getSourceType().hasStaticShape() ||
      !op.getDestType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "its shape is not known");
  return linalg::lowerUnPack(rewriter, op);
}

void mlir::te::populateSimplerFormPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add(takeKnownWay)
      .add(generateToGeneric)
      .add(expandPack)
      .add(expandUnPack);
  scf::IndexSwitchOp::getCanonicalizationPatterns(patterns, context);
  scf::ExecuteRegionOp::getCanonicalizationPatterns(patterns, context);
}
