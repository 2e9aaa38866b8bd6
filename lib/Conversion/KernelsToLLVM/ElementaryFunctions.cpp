// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementaryFunctions.h"

#include "Formulas.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult ExpandFunction::matchAndRewrite(Operation *op,
                                              PatternRewriter &rewriter) const {
  if (!op->getResult(0).getType().isF32())
    return rewriter.notifyMatchFailure(op, "not f32");
  rewriter.replaceOp(op, formula(rewriter, op->getLoc(), op->getOperands()));
  return success();
}

void mlir::te::populateElementaryFunctionPatterns(RewritePatternSet &patterns) {
  populateExponentialPatterns(patterns);
  populateLogarithmPatterns(patterns);
  populatePowerPatterns(patterns);
  populateTrigonometricPatterns(patterns);
  populateErrorFunctionPatterns(patterns);
  populateArithmeticPatterns(patterns);
}
