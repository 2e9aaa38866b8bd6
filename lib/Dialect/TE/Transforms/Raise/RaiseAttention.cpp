// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/Raise.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Exporters compute attention on [B,H,S,D], which they get by transposing
/// [B,S,H,D], the order in which a linear layer leaves its heads. te.attention
/// reads that order itself.
///
/// attention {bhsd} (q^T, k^T, v^T) -> attention {bshd} (q, k, v) ^T
struct AttentionWithoutTransposes : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    static constexpr int64_t kSwap[] = {0, 2, 1, 3};
    if (op.getLayout() != AttentionLayout::BHSD)
      return rewriter.notifyMatchFailure(op, "not in the layout bhsd");
    linalg::TransposeOp q = getTranspose(op.getQ(), kSwap);
    linalg::TransposeOp k = getTranspose(op.getK(), kSwap);
    linalg::TransposeOp v = getTranspose(op.getV(), kSwap);
    if (!q || !k || !v)
      return rewriter.notifyMatchFailure(op, "an operand is not transposed");
    auto attention = AttentionOp::create(
        rewriter, op.getLoc(), q.getInput(), k.getInput(), v.getInput(),
        op.getScale().convertToFloat(), op.getCausal(), AttentionLayout::BSHD);
    auto type = cast<RankedTensorType>(op.getO().getType());
    Value init = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                         type.getElementType());
    auto o = linalg::TransposeOp::create(rewriter, op.getLoc(),
                                         attention.getO(), init, kSwap);
    rewriter.replaceOp(op, {o->getResult(0), attention.getLse()});
    return success();
  }
};
} // namespace

void mlir::te::populateRaiseAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<AttentionWithoutTransposes>(patterns.getContext());
}
