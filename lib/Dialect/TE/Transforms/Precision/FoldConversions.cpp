// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/FoldConversions.h"

#include "te/Support/ElementTypes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

Value mlir::te::getWidenedValue(arith::TruncFOp truncation) {
  auto extension = truncation.getIn().getDefiningOp<arith::ExtFOp>();
  return extension && extension.getIn().getType() == truncation.getType()
             ? extension.getIn()
             : Value();
}

LogicalResult
mlir::te::foldIntoProducer(RewriterBase &rewriter, Operation *conversion,
                           llvm::function_ref<bool(OpResult)> canConvert) {
  Value converted = conversion->getOperand(0);
  // The values from the conversion back to the op that computes.
  SmallVector<OpResult> path;
  for (auto value = dyn_cast<OpResult>(converted);;
       value = dyn_cast<OpResult>(value.getOwner()->getOperand(0))) {
    if (!value || !value.hasOneUse())
      return failure();
    path.push_back(value);
    auto movement = dyn_cast<DataMovementOpInterface>(value.getOwner());
    if (!movement || !movement.keepsOrder())
      break;
  }
  if (!canConvert(path.back()))
    return failure();
  Type element = getElementTypeOrSelf(conversion->getResult(0));
  for (OpResult result : path)
    rewriter.modifyOpInPlace(result.getOwner(), [&] {
      result.setType(cast<RankedTensorType>(result.getType()).clone(element));
    });
  rewriter.replaceOp(conversion, converted);
  return success();
}

/// The tensor that `value` was widened from; null if it was not.
static Value getNarrow(Value value) {
  auto extension = value.getDefiningOp<arith::ExtFOp>();
  return extension && isa<RankedTensorType>(value.getType()) ? extension.getIn()
                                                             : Value();
}

static Type withElementOf(Type type, Value value) {
  return cast<RankedTensorType>(type).clone(getElementTypeOrSelf(value));
}

namespace {

static LogicalResult cancelTruncation(arith::TruncFOp op,
                                      PatternRewriter &rewriter) {
  Value value = getWidenedValue(op);
  if (!value)
    return rewriter.notifyMatchFailure(op, "of no widened value");
  rewriter.replaceOp(op, value);
  return success();
}

/// Ops that only move data do so in the narrow type.
struct SinkExtension : OpInterfaceRewritePattern<DataMovementOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(DataMovementOpInterface op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> narrow;
    for (unsigned number : op.getMovedOperands()) {
      narrow.push_back(getNarrow(op->getOperand(number)));
      if (!narrow.back() || getElementTypeOrSelf(narrow.back()) !=
                                getElementTypeOrSelf(narrow.front()))
        return rewriter.notifyMatchFailure(op, "moves no widened data");
    }
    if (narrow.empty())
      return rewriter.notifyMatchFailure(op, "moves nothing");
    Operation *moved = op.moveOthers(rewriter, narrow);
    SmallVector<Value> widened;
    for (auto [result, type] :
         llvm::zip(moved->getResults(), op->getResultTypes()))
      widened.push_back(
          arith::ExtFOp::create(rewriter, op->getLoc(), type, result));
    rewriter.replaceOp(op, widened);
    return success();
  }
};

/// Ops that compute in float32 read any float type, except operands that have
/// the compute type or must be float32.
struct ReadNarrow : OpInterfaceRewritePattern<MixedPrecisionOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(MixedPrecisionOpInterface op,
                                PatternRewriter &rewriter) const override {
    SmallVector<unsigned> fixed = op.getComputeOperands();
    llvm::append_range(fixed, op.getFloat32Operands());
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands())
      if (Value narrow = getNarrow(operand.get());
          narrow && !llvm::is_contained(fixed, operand.getOperandNumber())) {
        rewriter.modifyOpInPlace(op, [&] { operand.set(narrow); });
        changed = true;
      }
    return success(changed);
  }
};

/// Truncates before a split if all its pieces are truncated.
struct HoistTruncation : OpInterfaceRewritePattern<DataMovementOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(DataMovementOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() < 2 || op.getMovedOperands().size() != 1)
      return rewriter.notifyMatchFailure(op, "does not cut into pieces");
    SmallVector<arith::TruncFOp> truncations;
    for (Value piece : op->getResults()) {
      auto truncation = piece.hasOneUse()
                            ? dyn_cast<arith::TruncFOp>(*piece.user_begin())
                            : arith::TruncFOp();
      if (!truncation || getRoundingProblem(truncation) ||
          (!truncations.empty() &&
           getElementTypeOrSelf(truncation.getType()) !=
               getElementTypeOrSelf(truncations.front().getType())))
        return rewriter.notifyMatchFailure(op, "a piece is not truncated");
      truncations.push_back(truncation);
    }
    Value whole = op->getOperand(op.getMovedOperands().front());
    Value narrow = arith::TruncFOp::create(
        rewriter, op->getLoc(),
        withElementOf(whole.getType(), truncations.front()), whole);
    Operation *moved = op.moveOthers(rewriter, narrow);
    for (auto [truncation, piece] : llvm::zip(truncations, moved->getResults()))
      rewriter.replaceOp(truncation, piece);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Truncates a value before it is inserted into a constant.
static LogicalResult truncateInserted(arith::TruncFOp op,
                                      PatternRewriter &rewriter) {
  auto insertion = op.getIn().getDefiningOp<tensor::InsertSliceOp>();
  if (!insertion || !insertion->hasOneUse() || getRoundingProblem(op) ||
      !matchPattern(insertion.getDest(), m_Constant()))
    return rewriter.notifyMatchFailure(op, "of no insertion into a constant");
  auto truncate = [&](Value value) -> Value {
    return arith::TruncFOp::create(rewriter, op.getLoc(),
                                   withElementOf(value.getType(), op), value);
  };
  Value source = truncate(insertion.getSource());
  Value dest = truncate(insertion.getDest());
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
      op, source, dest, insertion.getMixedOffsets(), insertion.getMixedSizes(),
      insertion.getMixedStrides());
  return success();
}

/// Truncates values before they are joined with constants.
static LogicalResult truncateJoined(arith::TruncFOp op,
                                    PatternRewriter &rewriter) {
  auto concat = op.getIn().getDefiningOp<tensor::ConcatOp>();
  if (!concat || !concat->hasOneUse() || getRoundingProblem(op) ||
      llvm::none_of(concat.getInputs(), [](Value input) {
        return matchPattern(input, m_Constant());
      }))
    return rewriter.notifyMatchFailure(op, "of nothing joined with a constant");
  truncateParts(rewriter, op, concat);
  return success();
}

static LogicalResult writeNarrow(arith::TruncFOp op,
                                 PatternRewriter &rewriter) {
  if (!isa<RankedTensorType>(op.getType()) || getRoundingProblem(op))
    return rewriter.notifyMatchFailure(op, "of no tensor, or not to nearest");
  return foldIntoProducer(rewriter, op, [](OpResult result) {
    auto producer = dyn_cast<MixedPrecisionOpInterface>(result.getOwner());
    return producer && llvm::is_contained(producer.getConvertibleResults(),
                                          result.getResultNumber());
  });
}

/// Gradients of values that do not affect the outputs.
static LogicalResult truncateConstant(arith::TruncFOp op,
                                      PatternRewriter &rewriter) {
  SmallVector<Value> folded;
  if (!matchPattern(op.getIn(), m_Constant()) ||
      failed(rewriter.tryFold(op, folded)))
    return rewriter.notifyMatchFailure(op, "of no constant");
  rewriter.replaceOp(op, folded);
  return success();
}

} // namespace

void mlir::te::truncateParts(RewriterBase &rewriter, arith::TruncFOp truncation,
                             tensor::ConcatOp concat) {
  SmallVector<Value> parts =
      llvm::map_to_vector(concat.getInputs(), [&](Value part) -> Value {
        return arith::TruncFOp::create(
            rewriter, truncation.getLoc(),
            withElementOf(part.getType(), truncation), part);
      });
  rewriter.replaceOpWithNewOp<tensor::ConcatOp>(
      truncation, truncation.getType(), concat.getDim(), parts);
  rewriter.eraseOp(concat);
}

void mlir::te::populateFoldConversionsPatterns(RewritePatternSet &patterns) {
  patterns.add(cancelTruncation)
      .add<SinkExtension, ReadNarrow, HoistTruncation>(patterns.getContext())
      .add(truncateInserted)
      .add(truncateJoined)
      .add(writeNarrow)
      .add(truncateConstant);
}
