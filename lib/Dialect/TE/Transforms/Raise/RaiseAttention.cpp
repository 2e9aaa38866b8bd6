// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/Raise.h"

using namespace mlir;
using namespace mlir::te;

/// Exporters compute attention on [B,H,S,D], transposed from [B,S,H,D], the
/// order in which a linear layer produces its heads. te.attention reads that
/// order directly.
///
/// attention {bhsd} (q^T, k^T, v^T) -> attention {bshd} (q, k, v) ^T
static LogicalResult attentionWithoutTransposes(AttentionOp op,
                                                PatternRewriter &rewriter) {
  static constexpr int64_t kSwap[] = {0, 2, 1, 3};
  if (op.getLayout() != AttentionLayout::BHSD)
    return rewriter.notifyMatchFailure(op, "not in the layout bhsd");
  if (op.getQueryAxes())
    return rewriter.notifyMatchFailure(op, "queries that are sharded");
  linalg::TransposeOp q = getTranspose(op.getQ(), kSwap);
  linalg::TransposeOp k = getTranspose(op.getK(), kSwap);
  linalg::TransposeOp v = getTranspose(op.getV(), kSwap);
  if (!q || !k || !v)
    return rewriter.notifyMatchFailure(op, "an operand is not transposed");
  auto attention = AttentionOp::create(
      rewriter, op.getLoc(), q.getInput(), k.getInput(), v.getInput(),
      op.getScale().convertToFloat(), op.getCausal(), AttentionLayout::BSHD,
      op.getBias(), op.getWindow(), op.getSoftcap().convertToFloat(),
      op.getLengths(), op.getSinks());
  auto type = cast<RankedTensorType>(op.getO().getType());
  Value init = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                       type.getElementType());
  auto o = linalg::TransposeOp::create(rewriter, op.getLoc(), attention.getO(),
                                       init, kSwap);
  rewriter.replaceOp(op, {o->getResult(0), attention.getLse()});
  return success();
}

/// The heads of which `value` repeats each `count` times in a row, if its head
/// dimension is made so: a broadcast dimension after the heads, joined with
/// them. Null otherwise; heads that repeat as a whole, [h0, h1, h0, h1], are no
/// groups.
static Value getRepeatedHeads(Value value, int64_t headDim, int64_t &count) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse || collapse.getSrcType().getRank() != 5)
    return {};
  for (auto [dim, group] : llvm::enumerate(collapse.getReassociationIndices()))
    if (group.size() != (int64_t(dim) == headDim ? 2u : 1u))
      return {};
  auto broadcast = collapse.getSrc().getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast || !broadcast.hasPureTensorSemantics() ||
      broadcast.getDimensions() != ArrayRef<int64_t>{headDim + 1})
    return {};
  count = collapse.getSrcType().getDimSize(headDim + 1);
  return broadcast.getInput();
}

/// Keys and values whose heads are repeated for groups of query heads are read
/// without repetition: te.attention supports such groups.
///
/// attention(q, repeat(k), repeat(v)) -> attention(q, k, v)
static LogicalResult attentionOfGroups(AttentionOp op,
                                       PatternRewriter &rewriter) {
  int64_t headDim = getHeadDim(op.getLayout());
  int64_t keyCount = 0, valueCount = 0;
  Value k = getRepeatedHeads(op.getK(), headDim, keyCount);
  Value v = getRepeatedHeads(op.getV(), headDim, valueCount);
  if (!k || !v || keyCount != valueCount)
    return rewriter.notifyMatchFailure(op, "keys and values are not repeated "
                                           "alike, head by head");
  rewriter.modifyOpInPlace(op, [&] {
    op.getKMutable().assign(k);
    op.getVMutable().assign(v);
  });
  return success();
}

void mlir::te::populateRaiseAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add(attentionOfGroups).add(attentionWithoutTransposes);
}
