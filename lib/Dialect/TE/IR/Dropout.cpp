// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te.dropout with all that it is to the passes.

#include "OpMethods.h"
#include "Verification.h"
#include "te/Dialect/TE/IR/DropoutOps.h"

using namespace mlir;
using namespace mlir::te;

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;
using Numbers = SmallVector<unsigned>;

LogicalResult DropoutOp::verify() {
  if (failed(verifyShape(*this, "y", getY(), getX().getType().getShape())))
    return failure();
  float ratio = getRatio().convertToFloat();
  if (!(ratio >= 0 && ratio < 1))
    return emitOpError() << "expects its ratio to be in [0, 1), but it is "
                         << getRatioAttr();
  if (int64_t stream = int64_t(getStream()); stream < 0)
    return emitOpError() << "expects its stream not to be negative, but it is "
                         << stream;
  return success();
}

OpFoldResult DropoutOp::fold(FoldAdaptor) {
  return getRatio().isZero() && getX().getType() == getType() ? getX()
                                                              : OpFoldResult();
}

uint32_t DropoutOp::getThreshold() {
  return uint32_t(double(getRatio().convertToFloat()) * 0x1p32);
}

float DropoutOp::getFactor() {
  return 1.0f / (1.0f - getRatio().convertToFloat());
}

LogicalResult DropoutOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                  const Needed &needed, Cotangents operands) {
  if (needed[0])
    operands[0] =
        DropoutOp::create(builder, getLoc(), cotangents[0].getType(),
                          cotangents[0], getSeed(), getRatio(), getStream());
  return success();
}

Numbers DropoutOp::getComputeResults() { return {0}; }
Numbers DropoutOp::getComputeOperands() { return {0}; }
Numbers DropoutOp::getConvertibleResults() { return {0}; }

Work DropoutOp::getWork() { return moves(*this); }

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TEDropoutOps.cpp.inc"
