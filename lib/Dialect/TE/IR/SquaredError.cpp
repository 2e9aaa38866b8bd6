// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te.squared_error and its gradient.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

static LogicalResult verifyTarget(Operation *op, RankedTensorType x,
                                  Value target) {
  return verifyShape(op, "the target", target, x.getShape());
}

LogicalResult SquaredErrorOp::verify() {
  return verifyTarget(*this, getX().getType(), getTarget());
}

LogicalResult SquaredErrorGradOp::verify() {
  if (failed(verifyTarget(*this, getX().getType(), getTarget())))
    return failure();
  return verifyShape(*this, "dx", getDx(), getX().getType().getShape());
}

unsigned SquaredErrorOp::getLogitsOperand() {
  return getXMutable().getOperandNumber();
}

LogicalResult SquaredErrorOp::buildVjp(OpBuilder &builder,
                                       ValueRange cotangents,
                                       const Needed &needed,
                                       Cotangents operands) {
  Value dloss = convertElementType(builder, getLoc(), cotangents[0],
                                   builder.getF32Type());
  auto gradient = [&](Value of, Value from) {
    return SquaredErrorGradOp::create(builder, getLoc(), of.getType(), dloss,
                                      of, from, getReductionAttr());
  };
  if (needed[0])
    operands[0] = gradient(getX(), getTarget());
  if (needed[1])
    operands[1] = gradient(getTarget(), getX());
  return success();
}

SmallVector<unsigned> SquaredErrorGradOp::getComputeResults() { return {0}; }

/// What a loss over the elements of `x` divides by; 1 for a sum, and without
/// elements.
static double getElementDivisor(Value x, Reduction reduction) {
  int64_t count = cast<RankedTensorType>(x.getType()).getNumElements();
  return reduction == Reduction::Mean && count > 0 ? double(count) : 1;
}

void SquaredErrorOp::buildLinalgForm(LinalgForm &f) {
  double divisor = getElementDivisor(getX(), getReduction());
  Value sum = f.sum("", {{getX(), "mn"}, {getTarget(), "mn"}},
                    [](Scalars &s, ValueRange x) {
                      Value difference = s.sub(x[0], x[1]);
                      return s.mul(difference, difference);
                    });
  f.set(getLoss(), f.map("", f.builder.getF32Type(), {{sum, ""}},
                         [&](Scalars &s, ValueRange x) {
                           return s.div(x[0], s.number(divisor));
                         }));
}

void SquaredErrorGradOp::buildLinalgForm(LinalgForm &f) {
  double divisor = getElementDivisor(getX(), getReduction());
  f.set(getDx(), f.map("mn", getElementTypeOrSelf(getDx()),
                       {{getDloss(), ""}, {getX(), "mn"}, {getTarget(), "mn"}},
                       [&](Scalars &s, ValueRange x) {
                         Value factor = s.mul(x[0], s.number(2 / divisor));
                         return s.mul(factor, s.sub(x[1], x[2]));
                       }));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void SquaredErrorOp::inferRanges(RangeInference &ranges) {
  int64_t count = getX().getType().getNumElements();
  MagnitudeRange difference =
      (ranges.of(getX()) + ranges.of(getTarget())).inexact();
  ranges.set(getLoss(), difference.power(2).sumOf(count) /
                            getElementDivisor(getX(), getReduction()));
}

void SquaredErrorGradOp::inferRanges(RangeInference &ranges) {
  double divisor = getElementDivisor(getX(), getReduction());
  MagnitudeRange difference = ranges.of(getX()) + ranges.of(getTarget());
  ranges.set(getDx(),
             (ranges.of(getDloss()) * difference * (2 / divisor)).inexact());
}
