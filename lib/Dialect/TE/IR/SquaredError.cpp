// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te.squared_error and its gradient, with all that they are to the passes.

#include "OpMethods.h"
#include "Verification.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/RegressionOps.h"

using namespace mlir;
using namespace mlir::te;

using Needed = llvm::BitVector;
using Cotangents = MutableArrayRef<Value>;

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

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TERegressionOps.cpp.inc"
