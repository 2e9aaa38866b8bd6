// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises sums of one tensor at several shifts along a dimension, each times a
// number for each channel, to te.causal_conv, and a SiLU of it into the op.

#include "Raise/Matchers.h"
#include "Raise/Raise.h"
#include "Raise/StridedView.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::te;

namespace {

/// value[t] along a dimension is source[t - shift] for t in [first, end), and
/// zero elsewhere.
struct Shifted {
  Value source;
  int64_t shift, first, end;
};

/// A term of a sum: what it shifts, from the value itself to what that is made
/// of, and its numbers, one for each channel.
struct Tap {
  SmallVector<Shifted> shifted;
  StridedView weights;
};

/// A sum of taps and at most one vector of biases.
class ConvMatcher {
public:
  explicit ConvMatcher(arith::AddFOp root)
      : root(root), type(tensorType(root.getResult())) {}

  /// False if the sum is none, with nothing changed.
  bool raise(IRRewriter &rewriter);
  int64_t getNumTaps() const { return taps.size(); }

private:
  bool addTap(Value shifted, Value weights);
  /// The numbers that `value` has one of for each channel; nothing if it is
  /// anything else.
  std::optional<StridedView> getChannels(Value value) const;
  bool findDims(ArrayRef<std::pair<Value, Value>> products);
  SmallVector<Shifted> getShifted(Value value) const;
  /// Tokens that readers of the sum read of it, from the first one on.
  int64_t getReadTokens() const;
  /// Sorts the taps by how far they look back in `source`; sets `begin`, where
  /// the sequence begins in it.
  bool orderTaps(Value source, int64_t tokens);
  Value buildWeights(OpBuilder &builder, Location loc) const;

  arith::AddFOp root;
  RankedTensorType type;
  int64_t time = -1, channel = -1;
  SmallVector<Tap> taps;
  std::optional<StridedView> bias;
  int64_t begin = 0;
};

} // namespace

static Value skipTimeSlices(Value value) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  return value;
}

/// The dimension along which a value has zeros in front; nothing without.
static std::optional<int64_t> getPaddedDim(Value value) {
  auto concat = skipTimeSlices(value).getDefiningOp<tensor::ConcatOp>();
  if (!concat || concat.getInputs().size() < 2 ||
      !isZero(concat.getInputs().front()))
    return std::nullopt;
  return int64_t(concat.getDim());
}

SmallVector<Shifted> ConvMatcher::getShifted(Value value) const {
  SmallVector<Shifted> result{{value, 0, 0, type.getDimSize(time)}};
  while (true) {
    Shifted next = result.back();
    if (auto slice = next.source.getDefiningOp<tensor::ExtractSliceOp>()) {
      if (getDividedDim(slice) != time)
        return result;
      next.shift -= slice.getStaticOffsets()[time];
      next.source = slice.getSource();
    } else if (auto concat = next.source.getDefiningOp<tensor::ConcatOp>()) {
      // One piece that is not zero.
      if (int64_t(concat.getDim()) != time)
        return result;
      Value piece;
      int64_t before = 0, shift = 0;
      for (Value input : concat.getInputs()) {
        if (!isZero(input)) {
          if (piece)
            return result;
          piece = input;
          shift = before;
        }
        before += tensorDim(input, time);
      }
      if (!piece)
        return result;
      next.shift += shift;
      next.source = piece;
      next.first = std::max(next.first, next.shift);
      next.end = std::min(next.end, next.shift + tensorDim(piece, time));
    } else {
      return result;
    }
    result.push_back(next);
  }
}

std::optional<StridedView> ConvMatcher::getChannels(Value value) const {
  if (value.getType() != type)
    return std::nullopt;
  StridedView view(value);
  view.goToStart();
  auto loops = splitLoops(view.groups.front(), type.getShape());
  if (!loops)
    return std::nullopt;
  for (auto [dim, loop] : llvm::enumerate(*loops))
    if (int64_t(dim) == channel ? loop.size() != 1 || loop[0].stride <= 0
                                : moves(loop))
      return std::nullopt;
  return StridedView(view.source, view.offset, {(*loops)[channel]});
}

/// The terms of a sum whose partial sums nothing else reads: products, and
/// others.
static bool collectTerms(arith::AddFOp root,
                         SmallVectorImpl<std::pair<Value, Value>> &products,
                         SmallVectorImpl<Value> &others) {
  SmallVector<Value> pending{root.getLhs(), root.getRhs()};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    auto sum = value.getDefiningOp<arith::AddFOp>();
    if (sum && value.hasOneUse())
      pending.append({sum.getLhs(), sum.getRhs()});
    else if (auto product = value.getDefiningOp<arith::MulFOp>())
      products.push_back({product.getLhs(), product.getRhs()});
    else if (!isZero(value))
      others.push_back(value);
    if (products.size() > size_t(CausalConvOp::kMostTaps) || others.size() > 1)
      return false;
  }
  return products.size() > 1;
}

bool ConvMatcher::findDims(ArrayRef<std::pair<Value, Value>> products) {
  for (auto [a, b] : products)
    for (auto [shifted, weights] : {std::pair(a, b), std::pair(b, a)}) {
      std::optional<int64_t> dim = getPaddedDim(shifted);
      if (!dim)
        continue;
      time = *dim;
      for (channel = 0; channel < type.getRank(); ++channel)
        if (channel != time && getChannels(weights))
          return true;
    }
  return false;
}

bool ConvMatcher::addTap(Value shifted, Value weights) {
  std::optional<StridedView> numbers = getChannels(weights);
  if (!numbers)
    return false;
  taps.push_back({getShifted(shifted), std::move(*numbers)});
  return true;
}

int64_t ConvMatcher::getReadTokens() const {
  int64_t tokens = 0;
  for (Operation *user : root->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || getDividedDim(slice) != time ||
        slice.getStaticOffsets()[time] != 0)
      return type.getDimSize(time);
    tokens = std::max(tokens, slice.getStaticSizes()[time]);
  }
  return tokens;
}

bool ConvMatcher::orderTaps(Value source, int64_t tokens) {
  SmallVector<std::pair<Shifted, Tap *>> ordered;
  for (Tap &tap : taps) {
    auto *found = llvm::find_if(tap.shifted, [&](const Shifted &shifted) {
      return shifted.source == source;
    });
    if (found == tap.shifted.end())
      return false;
    Shifted shifted = *found;
    shifted.end = std::min(shifted.end, tokens);
    if (shifted.first >= shifted.end)
      return false;
    ordered.push_back({shifted, &tap});
  }
  // Of the source, what some tap reads: a sequence, behind which there are
  // zeros, and before it.
  int64_t end = 0;
  begin = tensorDim(source, time);
  for (const auto &[shifted, tap] : ordered) {
    begin = std::min(begin, shifted.first - shifted.shift);
    end = std::max(end, shifted.end - shifted.shift);
  }
  if (end - begin != tokens)
    return false;
  llvm::sort(ordered, [](const auto &a, const auto &b) {
    return a.first.shift > b.first.shift;
  });
  SmallVector<Tap> sorted;
  for (const auto &[shifted, tap] : ordered) {
    // Of the sequence: the first tap looks back furthest.
    const int64_t shift = shifted.shift + begin;
    if (shift != int64_t(taps.size() - 1 - sorted.size()) ||
        shifted.first != shift || shifted.end != tokens)
      return false;
    sorted.push_back(*tap);
  }
  taps = std::move(sorted);
  return true;
}

Value ConvMatcher::buildWeights(OpBuilder &builder, Location loc) const {
  const int64_t count = taps.size(), channels = type.getDimSize(channel);
  const StridedView &first = taps[0].weights;
  const int64_t step = taps[1].weights.offset - first.offset;
  bool isMatrix = true;
  for (auto [k, tap] : llvm::enumerate(taps))
    isMatrix &= tap.weights.source == first.source &&
                tap.weights.groups == first.groups &&
                tap.weights.offset == first.offset + int64_t(k) * step;
  if (isMatrix && step > 0)
    if (Value matrix = StridedView(first.source, first.offset,
                                   {{{count, step}}, first.groups[0]})
                           .build(builder, loc, {0, 1}, {count, channels}))
      return matrix;
  SmallVector<Value> rows;
  for (const Tap &tap : taps) {
    Value row = tap.weights.build(builder, loc, 0, {1, channels});
    if (!row)
      return {};
    rows.push_back(row);
  }
  return tensor::ConcatOp::create(builder, loc, 0, rows);
}

bool ConvMatcher::raise(IRRewriter &rewriter) {
  SmallVector<std::pair<Value, Value>> products;
  SmallVector<Value> others;
  if (!type.getElementType().isF32() || !type.hasStaticShape() ||
      type.getNumElements() == 0 || !collectTerms(root, products, others) ||
      !findDims(products))
    return false;
  for (auto [a, b] : products)
    if (!addTap(a, b) && !addTap(b, a))
      return false;
  if (!others.empty()) {
    bias = getChannels(others[0]);
    if (!bias)
      return false;
  }
  const int64_t tokens = getReadTokens();
  if (tokens == 0)
    return false;
  const SmallVector<Shifted> candidates = taps[0].shifted;
  const auto *found = llvm::find_if(candidates, [&](const Shifted &shifted) {
    return orderTaps(shifted.source, tokens);
  });
  if (found == candidates.end())
    return false;

  Location loc = root.getLoc();
  rewriter.setInsertionPoint(root);
  Value weights = buildWeights(rewriter, loc);
  const int64_t channels = type.getDimSize(channel);
  // Other dimensions, then tokens, then channels.
  enum : unsigned { Batch, Tokens, Channels };
  SmallVector<int64_t> shape(type.getShape());
  shape[time] = tokens;
  SmallVector<Strides> roles(3);
  Strides ofResult(shape.size(), Stride{1, 1});
  int64_t stride = 1, batch = 1, offset = 0;
  for (int64_t dim = shape.size(); dim-- > 0;) {
    const unsigned role = dim == time      ? Tokens
                          : dim == channel ? Channels
                                           : Batch;
    roles[role].insert(roles[role].begin(), {shape[dim], stride});
    if (role == Batch) {
      ofResult[dim] = {shape[dim], batch * tokens * channels};
      batch *= shape[dim];
    } else {
      ofResult[dim] = {shape[dim], role == Tokens ? channels : 1};
    }
    if (role == Tokens)
      offset = begin * stride;
    stride *= tensorDim(found->source, dim);
  }
  for (Strides &loops : roles)
    loops = canonicalize(loops);
  Value x = StridedView(found->source, offset, roles)
                .build(rewriter, loc, {Batch, Tokens, Channels},
                       {batch, tokens, channels});
  Value numbers = bias ? bias->build(rewriter, loc, 0, {channels}) : Value();
  if (!weights || !x || (bias && !numbers))
    return false;
  auto conv = CausalConvOp::create(rewriter, loc, x.getType(), x, weights,
                                   numbers, /*silu=*/false);
  Value y = StridedView(conv.getY(), 0, {canonicalize(ofResult)})
                .build(rewriter, loc, 0, shape);
  if (shape == type.getShape()) {
    rewriter.replaceOp(root, y);
    return true;
  }
  for (Operation *user : llvm::make_early_inc_range(root->getUsers())) {
    rewriter.setInsertionPoint(user);
    rewriter.replaceOp(user, sliceDim(rewriter, user->getLoc(), y, time, 0,
                                      tensorDim(user->getResult(0), time)));
  }
  rewriter.eraseOp(root);
  return true;
}

/// silu(causal_conv), in whatever order its elements are.
static LogicalResult mergeSilu(ActivationOp op, PatternRewriter &rewriter) {
  if (op.getKind() != ActivationKind::Silu || op.getScale())
    return rewriter.notifyMatchFailure(op, "no SiLU alone");
  Value value = op.getX();
  while (value.hasOneUse() &&
         isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         linalg::TransposeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto conv = value.getDefiningOp<CausalConvOp>();
  if (!conv || conv.getSilu() || !value.hasOneUse())
    return rewriter.notifyMatchFailure(op, "no convolution read only here");
  rewriter.modifyOpInPlace(conv, [&] { conv.setSilu(true); });
  rewriter.replaceOp(op, op.getX());
  return success();
}

void mlir::te::populateRaiseCausalConvPatterns(RewritePatternSet &patterns) {
  patterns.add(mergeSilu);
}

void mlir::te::raiseCausalConvs(Operation *root) {
  IRRewriter rewriter(root->getContext());
  SmallVector<arith::AddFOp> sums;
  root->walk([&](arith::AddFOp sum) {
    if (isa<RankedTensorType>(sum.getType()))
      sums.push_back(sum);
  });
  // The last first: sums of a part of the taps have no reader then.
  for (arith::AddFOp sum : llvm::reverse(sums)) {
    if (sum->use_empty())
      continue;
    ConvMatcher matcher(sum);
    Location loc = sum.getLoc();
    auto function = sum->getParentOfType<func::FuncOp>();
    if (!matcher.raise(rewriter))
      continue;
    remark::passed(loc, remark::RemarkOpts::name("CausalConv")
                            .category("te-raise")
                            .function(function.getName()))
        << remark::add("a sum of {0} shifted tensors is one convolution along "
                       "a sequence",
                       matcher.getNumTaps());
  }
}
