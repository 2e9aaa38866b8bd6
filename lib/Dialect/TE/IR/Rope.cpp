// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rope.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

void RopeOp::build(OpBuilder &builder, OperationState &state, Value x,
                   Value cos, Value sin, bool interleaved,
                   AttentionLayout layout, bool inverse) {
  auto flag = [&](bool set) {
    return set ? builder.getUnitAttr() : UnitAttr();
  };
  build(builder, state, x.getType(), x, cos, sin, flag(interleaved),
        flag(inverse), AttentionLayoutAttr::get(builder.getContext(), layout));
}

LogicalResult RopeOp::verify() {
  ArrayRef<int64_t> shape = getX().getType().getShape();
  bool batchIsSecond = getLayout() == AttentionLayout::SBHD;
  int64_t batch = shape[batchIsSecond ? 1 : 0];
  int64_t sequence = shape[batchIsSecond                          ? 0
                           : getLayout() == AttentionLayout::BHSD ? 2
                                                                  : 1];
  ArrayRef<int64_t> table = getCos().getType().getShape();
  if (failed(verifyShape(*this, "y", getY(), shape)) ||
      failed(verifyShape(*this, "sin", getSin(), table)))
    return failure();
  if (table[0] != sequence && table[0] != batch * sequence)
    return emitOpError() << "expects a row of its tables per position ("
                         << sequence << ") or per token (" << batch * sequence
                         << "), but there are " << table[0];
  if (2 * table[1] > shape[3])
    return emitOpError() << "rotates " << table[1]
                         << " pairs of elements of heads of " << shape[3];
  return success();
}

LogicalResult RopeOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                               const Needed &needed, Cotangents operands) {
  if (needed[1] || needed[2])
    return emitOpError() << "has no gradient for its tables of angles; take "
                            "what they are computed from out of the parameters";
  if (needed[0])
    operands[0] =
        RopeOp::create(builder, getLoc(), cotangents[0], getCos(), getSin(),
                       getInterleaved(), getLayout(), !getInverse());
  return success();
}

// The tables of angles stay as exact as they are.
Numbers RopeOp::getComputeResults() { return {0}; }
Numbers RopeOp::getComputeOperands() { return {0}; }

void RopeOp::buildLinalgForm(LinalgForm &f) {
  auto type = tensorType(getX());
  StringRef indices = getLayout() == AttentionLayout::BSHD   ? "bshd"
                      : getLayout() == AttentionLayout::BHSD ? "bhsd"
                                                             : "sbhd";
  int64_t sequence = type.getDimSize(indices.find('s')),
          pairs = tensorType(getCos()).getDimSize(1),
          rows = tensorType(getCos()).getDimSize(0);
  Value y =
      f.map(indices, type.getElementType(), {{getX(), indices}},
            [&](Scalars &s, ValueRange x) {
              OpBuilder &b = s.builder;
              Value d = s.at('d'), row = s.at('s');
              auto number = [&](int64_t n) { return s.integer(d, n); };
              auto ult = [&](Value a, int64_t n) {
                return s.compareInts(arith::CmpIPredicate::ult, a, number(n));
              };
              if (rows != sequence) {
                Value first = arith::MulIOp::create(b, s.loc, s.at('b'),
                                                    number(sequence));
                row = arith::AddIOp::create(b, s.loc, first, row);
              }
              // Elements after the pairs may read any angle, and are unchanged.
              Value isTurned = ult(d, 2 * pairs);
              Value at = s.select(isTurned, d, number(0));
              Value pair, isFirst, step;
              if (getInterleaved()) {
                pair = arith::DivUIOp::create(b, s.loc, at, number(2));
                isFirst = s.compareInts(
                    arith::CmpIPredicate::eq,
                    arith::RemUIOp::create(b, s.loc, at, number(2)), number(0));
                step = number(1);
              } else {
                pair = arith::RemUIOp::create(b, s.loc, at, number(pairs));
                isFirst = ult(at, pairs);
                step = number(pairs);
              }
              Value other =
                  s.select(isFirst, arith::AddIOp::create(b, s.loc, at, step),
                           arith::SubIOp::create(b, s.loc, at, step));
              SmallVector<Value> position;
              for (char index : indices)
                position.push_back(index == 'd' ? other : s.at(index));
              Value partner = s.extract(getX(), position);
              Value cos = s.extract(getCos(), {row, pair});
              Value sin = s.extract(getSin(), {row, pair});
              // y_a = x_a cos - x_b sin, y_b = x_b cos + x_a sin.
              Value turned = s.mul(partner, sin);
              Value minus = s.sub(s.mul(x[0], cos), turned),
                    plus = s.add(s.mul(x[0], cos), turned);
              if (getInverse())
                std::swap(minus, plus);
              return s.select(isTurned, s.select(isFirst, minus, plus), x[0]);
            });
  f.set(getY(), y);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void RopeOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange x = ranges.of(getX());
  MagnitudeRange rotated = x * ranges.of(getCos()) + x * ranges.of(getSin());
  // Elements beyond the tables' columns stay as they are.
  ranges.set(getY(), rotated.inexact().join(x));
}
