// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Insertions and padding become concatenations, which have gradients, and what
// is computed from constants alone becomes constants: masks and tables are
// recognised by their values.

#include "Linalg/Linalg.h"

#include "Raise/LoopLabels.h"
#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

/// Larger constants are computed at run time.
static constexpr int64_t kMostElements = int64_t(1) << 24;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The tensor whose element at a position is the source's at offset + the sum
/// of positions times `strides`.
static DenseElementsAttr moveElements(DenseElementsAttr source,
                                      RankedTensorType type, int64_t offset,
                                      ArrayRef<int64_t> strides) {
  if (source.isSplat())
    return source.resizeSplat(type);
  SmallVector<int64_t> places;
  places.reserve(type.getNumElements());
  SmallVector<int64_t> position(type.getRank(), 0);
  int64_t at = offset;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    places.push_back(at);
    for (int64_t dim = type.getRank(); dim-- > 0;) {
      at += strides[dim];
      if (++position[dim] < type.getDimSize(dim))
        break;
      at -= strides[dim] * type.getDimSize(dim);
      position[dim] = 0;
    }
  }
  if (isa<FloatType>(type.getElementType())) {
    auto values = source.getValues<APFloat>();
    return DenseElementsAttr::get(
        type, llvm::map_to_vector(places, [&](int64_t place) -> APFloat {
          return values[place];
        }));
  }
  auto values = source.getValues<APInt>();
  return DenseElementsAttr::get(
      type, llvm::map_to_vector(
                places, [&](int64_t place) -> APInt { return values[place]; }));
}

static DenseElementsAttr getConstant(Value value);

/// The constants of all pieces; null where one is computed.
static DenseElementsAttr joinConstants(tensor::ConcatOp op,
                                       RankedTensorType type) {
  SmallVector<DenseElementsAttr> pieces;
  for (Value input : op.getInputs()) {
    pieces.push_back(getConstant(input));
    if (!pieces.back())
      return {};
  }
  // Rows behind the dimension are joined whole.
  int64_t dim = op.getDim(), rows = 1;
  for (int64_t size : type.getShape().take_front(dim))
    rows *= size;
  auto join = [&](auto values) {
    for (int64_t row = 0; row < rows; ++row)
      for (DenseElementsAttr piece : pieces) {
        auto all = piece.getValues<typename decltype(values)::value_type>();
        int64_t count = piece.getNumElements() / rows;
        for (int64_t i = 0; i < count; ++i)
          values.push_back(all[row * count + i]);
      }
    return DenseElementsAttr::get(type, values);
  };
  if (isa<FloatType>(type.getElementType()))
    return join(SmallVector<APFloat>());
  return join(SmallVector<APInt>());
}

/// What `value` is, if it is constants in another place or repeated; null
/// otherwise.
static DenseElementsAttr getConstant(Value value) {
  DenseElementsAttr data;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat() ||
      type.getNumElements() > kMostElements)
    return {};
  if (matchPattern(value, m_Constant(&data)))
    return data;
  Operation *op = value.getDefiningOp();
  if (auto pieces = dyn_cast_or_null<tensor::ConcatOp>(op))
    return joinConstants(pieces, type);
  if (!op ||
      !isa<linalg::BroadcastOp, linalg::TransposeOp, tensor::ExtractSliceOp,
           tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return {};
  data = getConstant(op->getOperand(0));
  if (!data)
    return {};
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return data.reshape(type);
  SmallVector<int64_t> own = computeStrides(
                           cast<RankedTensorType>(data.getType()).getShape()),
                       strides(type.getRank(), 0);
  int64_t offset = 0;
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op)) {
    size_t next = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!llvm::is_contained(broadcast.getDimensions(), dim))
        strides[dim] = own[next++];
  } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    strides = applyPermutation(own, transpose.getPermutation());
  } else {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    if (!slice.getOffsets().empty() || !slice.getSizes().empty() ||
        !slice.getStrides().empty() ||
        slice.getSourceType().getRank() != type.getRank())
      return {};
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      offset += slice.getStaticOffsets()[dim] * own[dim];
      strides[dim] = slice.getStaticStrides()[dim] * own[dim];
    }
  }
  return moveElements(data, type, offset, strides);
}

namespace {
/// Arithmetic on constants, repeated ones among them.
struct FoldArithmetic : RewritePattern {
  explicit FoldArithmetic(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
        !OpTrait::hasElementwiseMappableTraits(op) ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "no arithmetic on tensors");
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(getConstant(operand));
      if (!operands.back())
        return rewriter.notifyMatchFailure(op, "not of constants alone");
    }
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.size() != 1)
      return rewriter.notifyMatchFailure(op, "does not fold");
    if (auto value = dyn_cast<Value>(results.front())) {
      if (value == op->getResult(0))
        return rewriter.notifyMatchFailure(op, "folds in place");
      rewriter.replaceOp(op, value);
      return success();
    }
    auto data = dyn_cast<DenseElementsAttr>(cast<Attribute>(results.front()));
    if (!data || data.getType() != op->getResult(0).getType())
      return rewriter.notifyMatchFailure(op, "does not fold to a tensor");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, data);
    return success();
  }
};

/// A constant in another order, or a part of one. What repeats stays a
/// broadcast.
template <typename Op> struct FoldMovement : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    DenseElementsAttr data;
    if (op->getNumResults() != 1 ||
        !matchPattern(op->getOperand(0), m_Constant(&data)) ||
        !(data = getConstant(op->getResult(0))))
      return rewriter.notifyMatchFailure(op, "does not move constants");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, data);
    return success();
  }
};

/// One number repeated is a constant.
struct FoldBroadcast : OpRewritePattern<linalg::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    DenseElementsAttr data;
    if (!op.hasPureTensorSemantics() ||
        !matchPattern(op.getInput(), m_Constant(&data)) || !data.isSplat())
      return rewriter.notifyMatchFailure(op, "does not repeat one number");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, data.resizeSplat(tensorType(op->getResult(0))));
    return success();
  }
};

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

/// Whether all offsets, sizes and strides are numbers, and the strides 1.
template <typename Op> bool isStaticBlock(Op op) {
  return op.getOffsets().empty() && op.getSizes().empty() &&
         op.getStrides().empty() &&
         llvm::all_of(op.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; });
}

/// insert_slice is the old tensor's pieces around the new one.
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
  /// `piece` in `old`, whose dimensions before `dim` are the piece's.
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

/// Padding by numbers of elements that constants give has them as attributes.
struct FixPadding : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
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
};

/// Padding with one number is that number around the tensor.
struct PaddingToConcat : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
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
};

/// A block of a concatenation is what the pieces have of it.
struct SliceOfConcat : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
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
};

/// Pieces of pieces along one dimension are pieces.
struct FlattenConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
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
};
} // namespace

void mlir::te::populateTensorPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FoldArithmetic, FoldMovement<linalg::TransposeOp>,
               FoldMovement<tensor::ExtractSliceOp>,
               FoldMovement<tensor::ConcatOp>, FoldBroadcast, InsertionToConcat,
               FixPadding, PaddingToConcat, SliceOfConcat, FlattenConcat>(
      context);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
  tensor::PadOp::getCanonicalizationPatterns(patterns, context);
}
