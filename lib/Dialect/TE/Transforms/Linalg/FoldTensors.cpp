// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns insertions and padding into concatenations, which have gradients, and
// values computed from constants alone into constants: masks and tables are
// recognised by their values.

#include "Linalg/Linalg.h"
#include "Linalg/PlainForm.h"

#include "Raise/LoopLabels.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// True if the op only repeats its operand.
static bool isRepetition(Operation *op) {
  if (isa<linalg::BroadcastOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && linalg::isaBroadcastOpInterface(generic).has_value();
}

void mlir::te::foldConstants(func::FuncOp model) {
  ConstantEvaluator evaluator;
  OpBuilder builder(model.getContext());
  // A broadcast of constants stays a broadcast, as do movements of it.
  auto isStored = [](Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->hasTrait<OpTrait::ConstantLike>();
  };
  model.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isStructured = isa<linalg::LinalgOp>(op);
    WalkResult next = isStructured ? WalkResult::skip() : WalkResult::advance();
    bool isResource =
        isa<arith::ConstantOp>(op) &&
        isa<DenseResourceElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    if (op->getNumResults() == 0 || op->use_empty() ||
        (op->hasTrait<OpTrait::ConstantLike>() && !isResource))
      return next;
    bool isMovement =
        isa_and_present<tensor::TensorDialect>(op->getDialect()) ||
        isa<linalg::TransposeOp>(op);
    if (isMovement && !llvm::all_of(op->getOperands(), [&](Value operand) {
          return isStored(operand) || operand.getDefiningOp<tensor::EmptyOp>();
        }))
      return next;
    for (OpResult result : op->getResults()) {
      DenseElementsAttr data =
          result.use_empty() ? DenseElementsAttr() : evaluator.get(result);
      if (!data || (isRepetition(op) && !data.isSplat()))
        continue;
      TypedAttr constant = data;
      if (!isa<ShapedType>(result.getType()))
        constant = cast<TypedAttr>(data.getSplatValue<Attribute>());
      builder.setInsertionPoint(op);
      result.replaceAllUsesWith(
          arith::ConstantOp::create(builder, op->getLoc(), constant));
    }
    return next;
  });
}

namespace {
/// A broadcast of one number is a constant.
static LogicalResult foldBroadcast(linalg::BroadcastOp op,
                                   PatternRewriter &rewriter) {
  DenseElementsAttr data;
  if (!op.hasPureTensorSemantics() ||
      !matchPattern(op.getInput(), m_Constant(&data)) || !data.isSplat())
    return rewriter.notifyMatchFailure(op, "does not repeat one number");
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(
      op, data.resizeSplat(tensorType(op->getResult(0))));
  return success();
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Elements [first, first + count) of one dimension.
static Value slice(OpBuilder &builder, Location loc, Value value, int64_t dim,
                   int64_t first, int64_t count) {
  RankedTensorType type = tensorType(value);
  if (count == type.getDimSize(dim))
    return value;
  if (!value.getDefiningOp<tensor::EmptyOp>())
    return sliceDim(builder, loc, value, dim, first, count);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = count;
  return tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
}

static Value concat(OpBuilder &builder, Location loc, ArrayRef<Value> pieces,
                    int64_t dim) {
  if (pieces.size() == 1)
    return pieces.front();
  return tensor::ConcatOp::create(builder, loc, dim, pieces);
}

/// True if all offsets, sizes and strides are static, and the strides 1.
template <typename Op> bool isStaticBlock(Op op) {
  return op.getOffsets().empty() && op.getSizes().empty() &&
         op.getStrides().empty() &&
         llvm::all_of(op.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; });
}

/// insert_slice is a concatenation of the old tensor's pieces and the new one.
struct InsertionToConcat : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!isStaticBlock(op) || !op.getType().hasStaticShape() ||
        !op.getSourceType().hasStaticShape())
      return rewriter.notifyMatchFailure(op, "not at a fixed place");
    Value source =
        reshapeTo(rewriter, op.getLoc(), op.getSource(), op.getStaticSizes());
    rewriter.replaceOp(op, place(rewriter, op, op.getDest(), source, 0));
    return success();
  }

private:
  /// Inserts `piece` into `old`, whose dimensions before `dim` are the piece's.
  static Value place(OpBuilder &builder, tensor::InsertSliceOp op, Value old,
                     Value piece, int64_t dim) {
    Location loc = op.getLoc();
    while (dim < tensorType(old).getRank() &&
           tensorType(old).getDimSize(dim) == op.getStaticSizes()[dim])
      ++dim;
    if (dim == tensorType(old).getRank())
      return piece;
    int64_t first = op.getStaticOffsets()[dim],
            count = op.getStaticSizes()[dim], end = first + count,
            size = tensorType(old).getDimSize(dim);
    SmallVector<Value> pieces;
    if (first > 0)
      pieces.push_back(slice(builder, loc, old, dim, 0, first));
    if (count > 0)
      pieces.push_back(place(builder, op,
                             slice(builder, loc, old, dim, first, count), piece,
                             dim + 1));
    if (end < size)
      pieces.push_back(slice(builder, loc, old, dim, end, size - end));
    return concat(builder, loc, pieces, dim);
  }
};

/// Turns padding amounts that are constants into attributes.
static LogicalResult fixPadding(tensor::PadOp op, PatternRewriter &rewriter) {
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad();
  auto isFixed = [](OpFoldResult count) {
    return getConstantIntValue(count).value_or(-1) >= 0;
  };
  if ((op.getLow().empty() && op.getHigh().empty()) ||
      !llvm::all_of(low, isFixed) || !llvm::all_of(high, isFixed))
    return rewriter.notifyMatchFailure(op, "not by constants");
  SmallVector<int64_t> fixedLow, fixedHigh;
  for (auto [from, to] : {std::pair(&low, &fixedLow), {&high, &fixedHigh}})
    for (OpFoldResult count : *from)
      to->push_back(*getConstantIntValue(count));
  auto type =
      tensor::PadOp::inferResultType(op.getSourceType(), fixedLow, fixedHigh);
  if (type != op.getResultType())
    return rewriter.notifyMatchFailure(op, "its type does not fit");
  rewriter.modifyOpInPlace(op, [&] {
    op.setStaticLow(fixedLow);
    op.setStaticHigh(fixedHigh);
    op.getLowMutable().clear();
    op.getHighMutable().clear();
  });
  return success();
}

/// Padding with one number is a concatenation of constants and the tensor.
static LogicalResult paddingToConcat(tensor::PadOp op,
                                     PatternRewriter &rewriter) {
  Value number = op.getConstantPaddingValue();
  Attribute constant;
  if (!number || !matchPattern(number, m_Constant(&constant)) ||
      !op.getLow().empty() || !op.getHigh().empty() ||
      !op.getResultType().hasStaticShape() ||
      !op.getSourceType().hasStaticShape() ||
      llvm::any_of(op.getStaticLow(), [](int64_t n) { return n < 0; }) ||
      llvm::any_of(op.getStaticHigh(), [](int64_t n) { return n < 0; }))
    return rewriter.notifyMatchFailure(op, "no fixed padding");
  Value value = op.getSource();
  for (int64_t dim = 0; dim < op.getResultType().getRank(); ++dim) {
    SmallVector<Value> pieces;
    auto add = [&](int64_t count) {
      if (count == 0)
        return;
      SmallVector<int64_t> shape(tensorType(value).getShape());
      shape[dim] = count;
      pieces.push_back(arith::ConstantOp::create(
          rewriter, op.getLoc(),
          DenseElementsAttr::get(tensorType(value).clone(shape), constant)));
    };
    add(op.getStaticLow()[dim]);
    pieces.push_back(value);
    add(op.getStaticHigh()[dim]);
    value = concat(rewriter, op.getLoc(), pieces, dim);
  }
  rewriter.replaceOp(op, value);
  return success();
}

/// A slice of a concatenation is a concatenation of slices.
static LogicalResult sliceOfConcat(tensor::ExtractSliceOp op,
                                   PatternRewriter &rewriter) {
  auto whole = op.getSource().getDefiningOp<tensor::ConcatOp>();
  if (!whole || !isStaticBlock(op) ||
      op.getType().getRank() != op.getSourceType().getRank() ||
      !whole.getResultType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "no block of a concatenation");
  int64_t dim = whole.getDim();
  for (int64_t other = 0; other < op.getType().getRank(); ++other)
    if (other != dim &&
        op.getStaticSizes()[other] != op.getSourceType().getDimSize(other))
      return rewriter.notifyMatchFailure(op, "a block of other dimensions");
  int64_t first = op.getStaticOffsets()[dim],
          end = first + op.getStaticSizes()[dim], at = 0;
  SmallVector<Value> pieces;
  for (Value piece : whole.getInputs()) {
    int64_t size = tensorType(piece).getDimSize(dim);
    int64_t from = std::max(first, at), to = std::min(end, at + size);
    if (from < to)
      pieces.push_back(
          slice(rewriter, op.getLoc(), piece, dim, from - at, to - from));
    at += size;
  }
  if (pieces.empty())
    return rewriter.notifyMatchFailure(op, "an empty block");
  rewriter.replaceOp(op, concat(rewriter, op.getLoc(), pieces, dim));
  return success();
}

/// A concatenation of concatenations along one dimension is flattened.
static LogicalResult flattenConcat(tensor::ConcatOp op,
                                   PatternRewriter &rewriter) {
  SmallVector<Value> pieces;
  for (Value input : op.getInputs()) {
    auto inner = input.getDefiningOp<tensor::ConcatOp>();
    if (inner && inner.getDim() == op.getDim())
      llvm::append_range(pieces, inner.getInputs());
    else
      pieces.push_back(input);
  }
  if (pieces.size() == op.getInputs().size())
    return rewriter.notifyMatchFailure(op, "has no pieces of pieces");
  rewriter.replaceOp(op, concat(rewriter, op.getLoc(), pieces, op.getDim()));
  return success();
}
} // namespace

void mlir::te::populateTensorPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add(foldBroadcast)
      .add<InsertionToConcat>(context)
      .add(fixPadding)
      .add(paddingToConcat)
      .add(sliceOfConcat)
      .add(flattenConcat);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
  tensor::PadOp::getCanonicalizationPatterns(patterns, context);
  populateSimplerFormPatterns(patterns);
}
