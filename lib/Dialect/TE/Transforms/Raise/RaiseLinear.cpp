// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/Raise.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

/// te.matmul of a transposed matrix reads the matrix itself. PyTorch stores a
/// linear layer's weight [N,K] and exporters transpose it.
static LogicalResult absorbTranspose(MatmulOp op, PatternRewriter &rewriter) {
  linalg::TransposeOp a = getTranspose(op.getA(), {1, 0});
  linalg::TransposeOp b = getTranspose(op.getB(), {1, 0});
  if (!a && !b)
    return rewriter.notifyMatchFailure(op, "no operand is transposed");
  rewriter.modifyOpInPlace(op, [&] {
    if (a) {
      op.getAMutable().assign(a.getInput());
      op.setTransposeA(!op.getTransposeA());
    }
    if (b) {
      op.getBMutable().assign(b.getInput());
      op.setTransposeB(!op.getTransposeB());
    }
  });
  return success();
}

/// Activations that were put in another order for a product, with features as
/// rows, are put into that of te.matmul, with tokens as rows, which alone has
/// an FP8 form.
static LogicalResult putTokensInRows(MatmulOp op, PatternRewriter &rewriter) {
  auto collapse = op.getA().getDefiningOp<tensor::CollapseShapeOp>();
  auto transpose = collapse
                       ? collapse.getSrc().getDefiningOp<linalg::TransposeOp>()
                       : linalg::TransposeOp();
  if (!op.getTransposeA() || op.getRole() != MatmulRole::Fprop || !transpose ||
      !transpose.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "rows are tokens, or stored so");
  const int64_t rows = collapse.getReassociationIndices().front().size();
  SmallVector<int64_t> permutation(transpose.getPermutation());
  std::rotate(permutation.begin(), permutation.begin() + rows,
              permutation.end());
  const int64_t rank = permutation.size();
  auto source = cast<RankedTensorType>(transpose.getInput().getType());
  Location loc = transpose.getLoc();
  Value init = tensor::EmptyOp::create(
      rewriter, loc, applyPermutation(source.getShape(), permutation),
      source.getElementType());
  Value ordered = linalg::TransposeOp::create(
                      rewriter, loc, transpose.getInput(), init, permutation)
                      ->getResult(0);
  auto tokens = llvm::to_vector<2>(llvm::seq<int64_t>(0, rank - rows));
  auto features = llvm::to_vector<2>(llvm::seq<int64_t>(rank - rows, rank));
  Value matrix = tensor::CollapseShapeOp::create(
      rewriter, collapse.getLoc(), ordered,
      ArrayRef<ReassociationIndices>{tokens, features});
  rewriter.modifyOpInPlace(op, [&] {
    op.getAMutable().assign(matrix);
    op.setTransposeA(false);
  });
  return success();
}

/// Merges the sum of a product without other readers and a vector broadcast
/// over the rows into a product with a bias.
static LogicalResult absorbBias(AddOp op, PatternRewriter &rewriter) {
  auto matmul = op.getA().getDefiningOp<MatmulOp>();
  auto expand = op.getB().getDefiningOp<tensor::ExpandShapeOp>();
  if (!matmul || matmul.getBias() || !matmul->hasOneUse() || !expand ||
      expand.getSrcType().getRank() != 1 ||
      expand.getResultType().getDimSize(0) != 1)
    return rewriter.notifyMatchFailure(op, "not a product plus a vector");
  if (op.getY().getType() != matmul.getD().getType())
    return rewriter.notifyMatchFailure(op, "the sum changes the type");
  // Either may have the layer's name; the product's is preferred.
  Location loc = getModulePath(matmul).empty() ? op.getLoc() : matmul.getLoc();
  auto fused = cast<MatmulOp>(rewriter.clone(*matmul));
  rewriter.modifyOpInPlace(fused, [&] {
    fused->setLoc(loc);
    fused.getBiasMutable().assign(expand.getSrc());
  });
  rewriter.replaceOp(op, fused.getD());
  return success();
}

void mlir::te::populateRaiseLinearPatterns(RewritePatternSet &patterns) {
  patterns.add(absorbTranspose).add(putTokensInRows).add(absorbBias);
}
