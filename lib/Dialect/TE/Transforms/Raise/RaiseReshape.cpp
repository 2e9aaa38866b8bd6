// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/Raise.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

linalg::TransposeOp mlir::te::getTranspose(Value value,
                                           ArrayRef<int64_t> permutation) {
  auto op = value.getDefiningOp<linalg::TransposeOp>();
  return op && op.getPermutation() == permutation ? op : nullptr;
}

/// transpose(transpose(x)) is one transpose, or x.
static LogicalResult composeTransposes(linalg::TransposeOp op,
                                       PatternRewriter &rewriter) {
  auto inner = op.getInput().getDefiningOp<linalg::TransposeOp>();
  if (!inner || !op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "not a transpose of a transpose");
  SmallVector<int64_t> permutation;
  bool identity = true;
  for (auto [i, dim] : llvm::enumerate(op.getPermutation())) {
    permutation.push_back(inner.getPermutation()[dim]);
    identity &= permutation.back() == int64_t(i);
  }
  if (identity) {
    rewriter.replaceOp(op, inner.getInput());
    return success();
  }
  rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, inner.getInput(),
                                                   op.getInit(), permutation);
  return success();
}

void mlir::te::populateRaiseReshapePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add(composeTransposes);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
}
