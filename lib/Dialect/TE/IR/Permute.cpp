// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// permute and unpermute.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

void PermuteOp::build(OpBuilder &builder, OperationState &state, Type y,
                      Value x, Value source, Value weights, int64_t repeat) {
  build(builder, state, y, /*rowwise=*/Type(), /*columnwise=*/Type(),
        /*amax=*/Type(), x, source, weights, /*scale=*/Value(), repeat);
}

/// Checks the weights of the rows of `tokens`, [T,H], each repeated.
template <typename Op> static LogicalResult verifyWeights(Op op, Value tokens) {
  if (op.getRepeat() < 1)
    return op.emitOpError() << "expects to repeat rows at least once";
  if (!op.getWeights())
    return success();
  return verifyShape(op, "the weights", op.getWeights(),
                     {tensorDim(tokens, 0) * int64_t(op.getRepeat())});
}

LogicalResult PermuteOp::verify() {
  const int64_t shape[] = {tensorDim(getSource(), 0), tensorDim(getX(), 1)};
  if (failed(verifyShapes(*this, {{"the result", getY(), shape}})) ||
      failed(verifyWeights(*this, getX())))
    return failure();
  return verifyQuantizedResults(*this, shape);
}

LogicalResult TakeRowsOp::verify() {
  RankedTensorType x = tensorType(getX());
  if (getElementTypeOrSelf(getY()) != x.getElementType())
    return emitOpError() << "makes " << getY().getType() << " of " << x
                         << "; expects one element type, as rows are moved as "
                            "they are";
  return verifyShapes(
      *this,
      {{"the result", getY(), {tensorDim(getSource(), 0), x.getDimSize(1)}}});
}

LogicalResult UnpermuteOp::verify() {
  if (failed(verifyWeights(*this, getY())))
    return failure();
  return verifyShapes(
      *this,
      {{"the result", getY(), {tensorDim(getY(), 0), tensorDim(getX(), 1)}},
       {"the places",
        getSlot(),
        {tensorDim(getY(), 0) * int64_t(getRepeat())}}});
}

LogicalResult PermuteWeightsGradOp::verify() {
  if (getRepeat() < 1)
    return emitOpError() << "expects to repeat rows at least once";
  const int64_t rows = tensorDim(getTokens(), 0) * getRepeat();
  return verifyShapes(
      *this, {{"the tokens",
               getTokens(),
               {tensorDim(getTokens(), 0), tensorDim(getPermuted(), 1)}},
              {"the places", getSlot(), {rows}},
              {"the result", getDweights(), {rows}}});
}

//===----------------------------------------------------------------------===//
// Gradient
//===----------------------------------------------------------------------===//

/// The order that a permutation belongs to, for the way back.
static FailureOr<GroupRowsOp> getOrder(Operation *op, Value map) {
  if (auto order = map.getDefiningOp<GroupRowsOp>())
    return order;
  return op->emitOpError()
         << "has no gradient, as the order of its rows is not "
            "a result of te.group_rows";
}

LogicalResult PermuteOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                  const Needed &needed, Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getY(), cotangents)))
    return failure();
  FailureOr<GroupRowsOp> order = getOrder(*this, getSource());
  if (failed(order))
    return failure();
  Value dy = cotangents[0];
  Type element = getElementTypeOrSelf(dy);
  if (needed[0])
    operands[0] = UnpermuteOp::create(
        builder, getLoc(), tensorType(getX()).clone(element), dy,
        order->getSlot(), getWeights(), getRepeatAttr());
  if (getWeights() && needed[2])
    operands[2] = PermuteWeightsGradOp::create(
        builder, getLoc(), getWeights().getType(), dy, order->getSlot(), getX(),
        getRepeatAttr());
  return success();
}

LogicalResult UnpermuteOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                    const Needed &needed, Cotangents operands) {
  FailureOr<GroupRowsOp> order = getOrder(*this, getSlot());
  if (failed(order))
    return failure();
  Value dy = cotangents[0];
  Type element = getElementTypeOrSelf(dy);
  if (needed[0])
    operands[0] =
        PermuteOp::create(builder, getLoc(), tensorType(getX()).clone(element),
                          dy, order->getSource(), getWeights(), getRepeat())
            .getY();
  if (getWeights() && needed[2])
    operands[2] =
        PermuteWeightsGradOp::create(builder, getLoc(), getWeights().getType(),
                                     getX(), getSlot(), dy, getRepeatAttr());
  return success();
}

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

Numbers PermuteOp::getComputeResults() { return {0}; }
Numbers PermuteOp::getConvertibleResults() { return {0}; }
Numbers PermuteOp::getFloat32Operands() {
  return getWeights() ? Numbers{2} : Numbers{};
}

Numbers UnpermuteOp::getComputeResults() { return {0}; }
Numbers UnpermuteOp::getConvertibleResults() { return {0}; }
Numbers UnpermuteOp::getFloat32Operands() {
  return getWeights() ? Numbers{2} : Numbers{};
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

// Of the places only those with rows are read.
Work UnpermuteOp::getWork() {
  Work work = getMovingWork(*this);
  double rows = tensorDim(getSlot(), 0), places = tensorDim(getX(), 0);
  if (rows < places)
    work.bytes -= getBytes(getX().getType()) * (1 - rows / places);
  return work;
}

//===----------------------------------------------------------------------===//
// Form in linalg
//===----------------------------------------------------------------------===//

static Value indexConstant(Scalars &s, int64_t number) {
  return arith::ConstantIndexOp::create(s.builder, s.loc, number);
}

void PermuteOp::buildLinalgForm(LinalgForm &f) {
  f.setSize('h', tensorDim(getX(), 1));
  Value y = f.map("ph", f.builder.getF32Type(), {{getSource(), "p"}},
                  [&](Scalars &s, ValueRange x) {
                    Value zero = s.integer(x[0], 0);
                    Value none =
                        s.compareInts(arith::CmpIPredicate::slt, x[0], zero);
                    Value row = s.toIndex(s.select(none, zero, x[0]));
                    Value token = arith::DivUIOp::create(
                        s.builder, s.loc, row, indexConstant(s, getRepeat()));
                    Value y = s.extract(getX(), {token, s.at('h')});
                    if (getWeights())
                      y = s.mul(y, s.extract(getWeights(), {row}));
                    return s.select(none, s.number(0), y);
                  });
  f.set(getY(), y);
  f.setQuantized(*this, y);
}

/// Element 'h' of the row at place `slot` of `x`, 0 without a place.
static Value extractPlace(Scalars &s, Value x, Value slot) {
  Value first = s.integer(slot, 0);
  Value none = s.compareInts(arith::CmpIPredicate::slt, slot, first);
  Value place = s.toIndex(s.select(none, first, slot));
  return s.select(none, s.number(0), s.extract(x, {place, s.at('h')}));
}

void TakeRowsOp::buildLinalgForm(LinalgForm &f) {
  f.setSize('h', tensorDim(getX(), 1));
  f.set(getY(), f.map("ph", f.builder.getF32Type(), {{getSource(), "p"}},
                      [&](Scalars &s, ValueRange x) {
                        return extractPlace(s, getX(), x[0]);
                      }));
}

void UnpermuteOp::buildLinalgForm(LinalgForm &f) {
  const int64_t repeat = getRepeat();
  f.setSize('h', tensorDim(getX(), 1));
  Value columns = f.map("h", f.builder.getF32Type(), {},
                        [](Scalars &s, ValueRange) { return s.number(0); });
  SmallVector<Term, 3> terms = {{f.splitDim(getSlot(), 0, repeat), "tj"},
                                {columns, "h"}};
  if (getWeights())
    terms.push_back({f.splitDim(getWeights(), 0, repeat), "tj"});
  f.set(getY(), f.sum("th", terms, [&](Scalars &s, ValueRange x) {
    Value y = extractPlace(s, getX(), x[0]);
    return getWeights() ? s.mul(y, x[2]) : y;
  }));
}

void PermuteWeightsGradOp::buildLinalgForm(LinalgForm &f) {
  Value tokens = getTokens();
  Value sum = f.sum(
      "tj", {{tokens, "th"}, {f.splitDim(getSlot(), 0, getRepeat()), "tj"}},
      [&](Scalars &s, ValueRange x) {
        return s.mul(x[0], extractPlace(s, getPermuted(), x[1]));
      });
  f.set(getDweights(), f.reshape(sum, tensorType(getDweights()).getShape()));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void PermuteOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange range = ranges.of(getX());
  if (getWeights())
    range = range * ranges.of(getWeights());
  setHandedOut(*this, ranges, getY(), range.join(MagnitudeRange::zero()));
}

void TakeRowsOp::inferRanges(RangeInference &ranges) {
  ranges.set(getY(), ranges.of(getX()).join(MagnitudeRange::zero()));
}

void UnpermuteOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange range = ranges.of(getX());
  if (getWeights())
    range = range * ranges.of(getWeights());
  ranges.set(getY(), getRepeat() == 1 ? range : range.sumOf(getRepeat()));
}

void PermuteWeightsGradOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange terms = ranges.of(getPermuted()) * ranges.of(getTokens());
  ranges.set(getDweights(), terms.sumOf(tensorDim(getTokens(), 1)));
}
