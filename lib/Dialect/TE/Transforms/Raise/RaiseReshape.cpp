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

static Value createTranspose(PatternRewriter &rewriter, Location loc,
                             Value value, ArrayRef<int64_t> permutation,
                             RankedTensorType type) {
  Value init = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                       type.getElementType());
  return linalg::TransposeOp::create(rewriter, loc, value, init, permutation)
      ->getResult(0);
}

/// The dimensions of a transposed tensor are split before it is transposed, so
/// that the transpose meets another.
static LogicalResult expandBeforeTranspose(tensor::ExpandShapeOp op,
                                           PatternRewriter &rewriter) {
  auto transpose = op.getSrc().getDefiningOp<linalg::TransposeOp>();
  if (!transpose || !transpose->hasOneUse() ||
      !transpose.hasPureTensorSemantics() ||
      !op.getResultType().hasStaticShape() || op.getSrcType().getRank() == 0)
    return rewriter.notifyMatchFailure(op, "not a transpose's only reader");
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  // The dimensions that each of the transpose's operand becomes.
  SmallVector<ArrayRef<int64_t>> parts(groups.size());
  for (auto [group, dim] : llvm::zip_equal(groups, permutation))
    parts[dim] = group;
  SmallVector<int64_t> shape, places(op.getResultType().getRank());
  SmallVector<ReassociationIndices> reassociation;
  for (ArrayRef<int64_t> part : parts) {
    ReassociationIndices &indices = reassociation.emplace_back();
    for (int64_t dim : part) {
      indices.push_back(shape.size());
      places[dim] = shape.size();
      shape.push_back(op.getResultType().getDimSize(dim));
    }
  }
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, op.getLoc(), op.getResultType().clone(shape),
      transpose.getInput(), reassociation);
  rewriter.replaceOp(op, createTranspose(rewriter, op.getLoc(), expanded,
                                         places, op.getResultType()));
  return success();
}

/// Dimensions that a transpose leaves side by side are joined before it.
static LogicalResult collapseBeforeTranspose(tensor::CollapseShapeOp op,
                                             PatternRewriter &rewriter) {
  auto transpose = op.getSrc().getDefiningOp<linalg::TransposeOp>();
  if (!transpose || !transpose.hasPureTensorSemantics() ||
      !op.getSrcType().hasStaticShape() || op.getResultType().getRank() == 0)
    return rewriter.notifyMatchFailure(op, "no transpose's reader");
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  // Groups of the operand's dimensions, by their first.
  SmallVector<std::pair<ReassociationIndices, int64_t>> parts;
  for (auto [number, group] : llvm::enumerate(op.getReassociationIndices())) {
    ReassociationIndices dims;
    for (int64_t dim : group) {
      if (!dims.empty() && permutation[dim] != dims.back() + 1)
        return rewriter.notifyMatchFailure(op, "it joins what was apart");
      dims.push_back(permutation[dim]);
    }
    parts.push_back({std::move(dims), int64_t(number)});
  }
  llvm::sort(parts, [](const auto &a, const auto &b) {
    return a.first.front() < b.first.front();
  });
  SmallVector<int64_t> shape, places(parts.size());
  SmallVector<ReassociationIndices> reassociation;
  for (auto &[dims, number] : parts) {
    places[number] = shape.size();
    shape.push_back(op.getResultType().getDimSize(number));
    reassociation.push_back(std::move(dims));
  }
  Value collapsed = tensor::CollapseShapeOp::create(
      rewriter, op.getLoc(), op.getResultType().clone(shape),
      transpose.getInput(), reassociation);
  rewriter.replaceOp(op, createTranspose(rewriter, op.getLoc(), collapsed,
                                         places, op.getResultType()));
  return success();
}

void mlir::te::populateRaiseReshapePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add(composeTransposes)
      .add(expandBeforeTranspose)
      .add(collapseBeforeTranspose);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
}
