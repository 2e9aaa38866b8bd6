// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/LoopLabels.h"
#include "Raise/Matchers.h"
#include "Raise/Raise.h"
#include "Raise/RopeTables.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Parts of a head
//===----------------------------------------------------------------------===//

namespace {
/// Elements offset, offset + stride, ... of every row of `source`, [..., size].
struct Columns {
  Value source;
  int64_t size, offset, count, stride;
};
} // namespace

/// The columns of another tensor that `value` consists of.
static std::optional<Columns> getColumns(Value value) {
  value = skipReshapes(value);
  if (auto split = value.getDefiningOp<SplitOp>()) {
    RankedTensorType type = split.getX().getType();
    if (int64_t(split.getAxis()) != type.getRank() - 1)
      return std::nullopt;
    Columns columns{split.getX(), type.getShape().back(), 0,
                    tensorType(value).getShape().back(), 1};
    for (Value piece : split.getPieces()) {
      if (piece == value)
        return columns;
      columns.offset += tensorType(piece).getShape().back();
    }
    return std::nullopt;
  }
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.getOffsets().empty() || !slice.getSizes().empty() ||
      !slice.getStrides().empty() ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return std::nullopt;
  RankedTensorType type = slice.getSourceType();
  int64_t last = type.getRank() - 1;
  for (int64_t dim = 0; dim < last; ++dim)
    if (slice.getStaticOffsets()[dim] != 0 ||
        slice.getStaticStrides()[dim] != 1 ||
        slice.getStaticSizes()[dim] != type.getDimSize(dim))
      return std::nullopt;
  return Columns{slice.getSource(), type.getDimSize(last),
                 slice.getStaticOffsets()[last], slice.getStaticSizes()[last],
                 slice.getStaticStrides()[last]};
}

/// Matches rows of `size` elements with -x_b where pair i has x_a, and x_a
/// where it has x_b. Returns x; `interleaved` says which elements are pairs.
static Value getRotated(Value value, int64_t size, bool &interleaved) {
  auto concat = skipReshapes(value).getDefiningOp<tensor::ConcatOp>();
  if (!concat || concat.getInputs().size() != 2 || size % 2 != 0)
    return {};
  RankedTensorType type = concat.getResultType();
  if (int64_t(concat.getDim()) != type.getRank() - 1)
    return {};
  // Concatenated halves, or pairs in a separate dimension.
  int64_t half = size / 2;
  interleaved = type.getShape().back() == 2 && size != 2;
  int64_t piece = interleaved ? 1 : half;
  for (Value input : concat.getInputs())
    if (tensorType(input).getShape().back() != piece)
      return {};
  if (interleaved &&
      (type.getRank() < 2 || type.getDimSize(type.getRank() - 2) != half))
    return {};
  Value negated = getNegated(concat.getInputs()[0]);
  auto b = negated ? getColumns(negated) : std::nullopt;
  auto a = getColumns(concat.getInputs()[1]);
  if (!a || !b || !isSameData(a->source, b->source))
    return {};
  auto is = [&](const Columns &columns, int64_t number) {
    return columns.size == size && columns.count == half &&
           columns.offset == (interleaved ? number : number * half) &&
           (columns.stride == (interleaved ? 2 : 1) || half == 1);
  };
  return is(*a, 0) && is(*b, 1) ? a->source : Value();
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

/// x in the shape of heads. Joins the dimensions before the last of a tensor of
/// another rank, or a head's pairs in the last two.
static Value getHeads(OpBuilder &builder, Location loc, Value x,
                      ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> given = tensorType(x).getShape();
  if (given == shape)
    return x;
  if (given.size() >= 2 && given.back() != shape.back() &&
      given.back() * given[given.size() - 2] == shape.back() &&
      tensorType(x).getNumElements() == ShapedType::getNumElements(shape))
    return reshapeTo(builder, loc, x, shape);
  if (given.size() == 4 || given.size() < 2 || given.back() != shape.back() ||
      tensorType(x).getNumElements() != ShapedType::getNumElements(shape))
    return {};
  return expandFromMatrix(builder, loc, collapseToMatrix(builder, loc, x),
                          shape);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// x * cos + rotated(x) * sin, where rotated(x) is (-x_b, x_a) for every pair.
template <typename OpTy> struct RaiseRope : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto sum = getSum(op->getResult(0));
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!sum || !type || type.getRank() < 2 || !type.hasStaticShape() ||
        type.getNumElements() == 0)
      return rewriter.notifyMatchFailure(op, "not a sum of two matrices");
    for (auto [plain, turned] : {*sum, std::pair(sum->second, sum->first)})
      if (Value y = build(rewriter, op.getLoc(), plain, turned, type)) {
        rewriter.replaceOp(op, y);
        return success();
      }
    return rewriter.notifyMatchFailure(op, "no rotation");
  }

private:
  static Value build(PatternRewriter &rewriter, Location loc, Value plain,
                     Value turned, RankedTensorType type) {
    auto plainProduct = skipReshapes(plain).getDefiningOp<arith::MulFOp>();
    auto turnedProduct = skipReshapes(turned).getDefiningOp<arith::MulFOp>();
    if (!plainProduct || !turnedProduct)
      return {};
    int64_t size = type.getShape().back();
    // Each product has its factors in either order.
    Value x, plainX;
    std::optional<RopeTable> sin, cos;
    bool interleaved = false;
    for (bool swap : {false, true}) {
      Value value = turnedProduct->getOperand(swap);
      x = getRotated(value, size, interleaved);
      sin = x ? getRopeTable(turnedProduct->getOperand(!swap)) : std::nullopt;
      if (sin)
        break;
    }
    if (!sin)
      return {};
    for (bool swap : {false, true}) {
      plainX = plainProduct->getOperand(swap);
      cos = isSameData(plainX, x)
                ? getRopeTable(plainProduct->getOperand(!swap))
                : std::nullopt;
      if (cos)
        break;
    }
    if (!cos || cos->heads != sin->heads || cos->layout != sin->layout ||
        cos->rows != sin->rows || cos->heads[3] != size ||
        tensorType(x).getElementType() != type.getElementType() ||
        ShapedType::getNumElements(cos->heads) != type.getNumElements() ||
        !hasPairs(*cos, interleaved) || !hasPairs(*sin, interleaved))
      return {};
    Value heads = getHeads(rewriter, loc, x, cos->heads);
    if (!heads)
      return {};
    Value cosines = buildPairs(rewriter, loc, *cos, interleaved);
    Value sines = buildPairs(rewriter, loc, *sin, interleaved);
    Value y = RopeOp::create(rewriter, loc, heads, cosines, sines, interleaved,
                             cos->layout);
    if (type.getRank() == 4)
      return y;
    return expandFromMatrix(rewriter, loc, collapseToMatrix(rewriter, loc, y),
                            type.getShape());
  }
};

/// Half of the elements of every head, times a table.
struct ScaledHalf {
  Columns half;
  RopeTable table;
};

static std::optional<ScaledHalf> getScaledHalf(Value value) {
  auto product = skipReshapes(value).getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  for (auto [x, factor] : {std::pair(product.getLhs(), product.getRhs()),
                           std::pair(product.getRhs(), product.getLhs())})
    if (auto half = getColumns(x))
      if (auto table = getRopeTable(factor)) {
        // One of each pair, if pairs have a separate dimension.
        ArrayRef<int64_t> shape = tensorType(half->source).getShape();
        int64_t count = table->heads[3];
        if (half->count == 1 && half->stride == 1 && count > 1 &&
            shape.size() >= 2 && shape[shape.size() - 2] == count)
          half = {half->source, half->size * count, half->offset, count,
                  half->size};
        return ScaledHalf{*half, *table};
      }
  return std::nullopt;
}

/// The halves a and b of x, or its even and odd elements, rotated one by one
/// and joined: (a * cos - b * sin, b * cos + a * sin).
static LogicalResult raiseTurnedHalves(tensor::ConcatOp op,
                                       PatternRewriter &rewriter) {
  RankedTensorType type = op.getResultType();
  int64_t last = type.getRank() - 1;
  if (op.getInputs().size() != 2 || int64_t(op.getDim()) != last ||
      !type.hasStaticShape() || type.getNumElements() == 0 ||
      op.getInputs()[0].getType() != op.getInputs()[1].getType())
    return rewriter.notifyMatchFailure(op, "not of two halves of rows");
  auto difference =
      skipReshapes(op.getInputs()[0]).getDefiningOp<arith::SubFOp>();
  auto sum = getSum(skipReshapes(op.getInputs()[1]));
  if (!difference || !sum)
    return rewriter.notifyMatchFailure(op, "not a difference and a sum");
  auto aCos = getScaledHalf(difference.getLhs());
  auto bSin = getScaledHalf(difference.getRhs());
  auto bCos = getScaledHalf(sum->first), aSin = getScaledHalf(sum->second);
  if (!aCos || !bSin || !bCos || !aSin)
    return rewriter.notifyMatchFailure(op, "not of halves times tables");
  if (bCos->half.offset != bSin->half.offset)
    std::swap(bCos, aSin);
  bool interleaved = aCos->half.stride == 2;
  int64_t half = aCos->table.heads[3], size = 2 * half;
  auto is = [&](const ScaledHalf &part, int64_t number,
                const ScaledHalf &like) {
    const Columns &columns = part.half;
    return isSameData(columns.source, aCos->half.source) &&
           columns.size == size && columns.count == half &&
           columns.offset == (interleaved ? number : number * half) &&
           columns.stride == (interleaved ? 2 : 1) &&
           part.table.heads == aCos->table.heads &&
           part.table.layout == aCos->table.layout &&
           part.table.rows == aCos->table.rows &&
           isSameTable(part.table, like.table);
  };
  bool isJoined = interleaved ? type.getDimSize(last) == 2 && last > 0 &&
                                    type.getDimSize(last - 1) == half
                              : type.getDimSize(last) == size;
  if (!is(*aCos, 0, *aCos) || !is(*bSin, 1, *bSin) || !is(*bCos, 1, *aCos) ||
      !is(*aSin, 0, *bSin) || !isJoined)
    return rewriter.notifyMatchFailure(op, "not the halves of one rotation");
  Value x = aCos->half.source;
  SmallVector<int64_t> shape = aCos->table.heads;
  shape[3] = size;
  Location loc = op.getLoc();
  Value heads = ShapedType::getNumElements(shape) == type.getNumElements() &&
                        tensorType(x).getElementType() == type.getElementType()
                    ? getHeads(rewriter, loc, x, shape)
                    : Value();
  if (!heads)
    return rewriter.notifyMatchFailure(op, "heads of another shape");
  Value y = RopeOp::create(
      rewriter, loc, heads, buildTable(rewriter, loc, aCos->table),
      buildTable(rewriter, loc, bSin->table), interleaved, aCos->table.layout);
  rewriter.replaceOp(op, reshapeTo(rewriter, loc, y, type.getShape()));
  return success();
}

/// The first elements of each head rotated, followed by the rest unchanged.
static LogicalResult absorbRest(tensor::ConcatOp op,
                                PatternRewriter &rewriter) {
  RankedTensorType type = op.getResultType();
  if (op.getInputs().size() != 2 || int64_t(op.getDim()) != type.getRank() - 1)
    return rewriter.notifyMatchFailure(op, "not two parts of rows");
  auto rope = skipReshapes(op.getInputs()[0]).getDefiningOp<RopeOp>();
  auto rest = getColumns(op.getInputs()[1]);
  auto first = rope ? getColumns(rope.getX()) : std::nullopt;
  int64_t size = type.getShape().back();
  if (!rest || !first || !isSameData(rest->source, first->source) ||
      first->size != size || first->offset != 0 || first->stride != 1 ||
      rest->offset != first->count || rest->stride != 1 ||
      rest->count != size - first->count ||
      tensorType(op.getInputs()[0]).getShape().back() != first->count)
    return rewriter.notifyMatchFailure(op, "not all of a head");
  SmallVector<int64_t> heads(rope.getX().getType().getShape());
  heads.back() = size;
  Value source = first->source;
  if (tensorType(source).getShape() != ArrayRef<int64_t>(heads)) {
    if (tensorType(source).getRank() != 2 ||
        tensorType(source).getDimSize(1) != size)
      return rewriter.notifyMatchFailure(op, "heads of another shape");
    source = expandFromMatrix(rewriter, op.getLoc(), source, heads);
  }
  Location loc = rope.getLoc();
  Value y = RopeOp::create(rewriter, loc, source, rope.getCos(), rope.getSin(),
                           rope.getInterleaved(), rope.getLayout(),
                           rope.getInverse());
  if (type.getRank() != 4)
    y = expandFromMatrix(rewriter, loc, collapseToMatrix(rewriter, loc, y),
                         type.getShape());
  rewriter.replaceOp(op, y);
  return success();
}

/// rope {bhsd} (xᵀ) -> rope {bshd} (x) ᵀ: te.attention then reads the order in
/// which a linear layer produces its heads.
static LogicalResult ropeBeforeTranspose(RopeOp op, PatternRewriter &rewriter) {
  static constexpr int64_t kSwap[] = {0, 2, 1, 3};
  linalg::TransposeOp transpose = getTranspose(op.getX(), kSwap);
  if (op.getLayout() != AttentionLayout::BHSD || !transpose)
    return rewriter.notifyMatchFailure(op, "not of transposed heads");
  auto rope = RopeOp::create(rewriter, op.getLoc(), transpose.getInput(),
                             op.getCos(), op.getSin(), op.getInterleaved(),
                             AttentionLayout::BSHD, op.getInverse());
  rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, rope.getY(),
                                                   transpose.getInit(), kSwap);
  return success();
}
} // namespace

void mlir::te::populateRaiseRopePatterns(RewritePatternSet &patterns) {
  patterns
      .add<RaiseRope<AddOp>, RaiseRope<arith::AddFOp>>(patterns.getContext())
      .add(raiseTurnedHalves)
      .add(absorbRest)
      .add(ropeBeforeTranspose);
}
