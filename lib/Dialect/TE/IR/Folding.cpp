// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders and canonical forms of the te ops. All keep every bit of every
// result.

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// add
//===----------------------------------------------------------------------===//

/// x + -0 is x, for x = -0 too; x + +0 would turn that into +0.
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (getA().getType() == getY().getType() &&
      matchPattern(getB(), m_NegZeroFloat()))
    return getA();
  if (getB().getType() == getY().getType() &&
      matchPattern(getA(), m_NegZeroFloat()))
    return getB();
  return {};
}

//===----------------------------------------------------------------------===//
// split
//===----------------------------------------------------------------------===//

/// The one piece is the whole, and pieces of a concatenation are what it joins
/// where they are cut at its seams.
LogicalResult SplitOp::fold(FoldAdaptor adaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  if (getNumResults() == 1 &&
      getX().getType() == getPieces().front().getType()) {
    results.push_back(getX());
    return success();
  }
  auto concat = getX().getDefiningOp<tensor::ConcatOp>();
  if (!concat || concat.getDim() != getAxis() ||
      !llvm::equal(concat.getInputs().getTypes(), getPieces().getTypes()))
    return failure();
  llvm::append_range(results, concat.getInputs());
  return success();
}

//===----------------------------------------------------------------------===//
// quantize
//===----------------------------------------------------------------------===//

/// Copies, amax and sums that nobody reads are not made.
LogicalResult QuantizeOp::canonicalize(QuantizeOp op,
                                       PatternRewriter &rewriter) {
  SmallVector<Value> results = {op.getRowwise(), op.getColumnwise(),
                                op.getAmax(), op.getDbias()};
  SmallVector<Type> wanted;
  for (Value result : results)
    wanted.push_back(result && !result.use_empty() ? result.getType() : Type());
  // One that makes sums alone would not be a quantization.
  if (!wanted[0] && !wanted[1] && !wanted[2])
    return rewriter.notifyMatchFailure(op, "no copy and no amax is read");
  if (llvm::equal(results, wanted, [](Value result, Type type) {
        return bool(result) == bool(type);
      }))
    return rewriter.notifyMatchFailure(op, "all that it makes is read");
  auto smaller =
      QuantizeOp::create(rewriter, op.getLoc(), wanted[0], wanted[1], wanted[2],
                         wanted[3], op.getX(), op.getScale());
  smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  SmallVector<Value> kept = {smaller.getRowwise(), smaller.getColumnwise(),
                             smaller.getAmax(), smaller.getDbias()};
  for (auto [before, after] : llvm::zip_equal(results, kept))
    if (after)
      rewriter.replaceAllUsesWith(before, after);
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// region
//===----------------------------------------------------------------------===//

/// A region hands out only what it computes and somebody reads, each value
/// once.
LogicalResult RegionOp::canonicalize(RegionOp op, PatternRewriter &rewriter) {
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  SmallVector<Value> kept, replacements(op.getNumResults());
  SmallVector<unsigned> numbers(op.getNumResults());
  for (auto [number, value] : llvm::enumerate(yield.getOperands())) {
    if (op.getResult(number).use_empty())
      continue;
    if (!op.getBody().isAncestor(value.getParentRegion())) {
      replacements[number] = value;
      continue;
    }
    auto *known = llvm::find(kept, value);
    numbers[number] = known - kept.begin();
    if (known == kept.end())
      kept.push_back(value);
  }
  if (kept.size() == op.getNumResults())
    return rewriter.notifyMatchFailure(op, "hands out what is read");
  auto smaller = RegionOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(kept)), op.getPrecision());
  smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getBody(), smaller.getBody(),
                              smaller.getBody().end());
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(kept); });
  for (auto [number, result] : llvm::enumerate(op.getResults()))
    if (!result.use_empty())
      rewriter.replaceAllUsesWith(
          result, replacements[number] ? replacements[number]
                                       : smaller.getResult(numbers[number]));
  rewriter.eraseOp(op);
  return success();
}
