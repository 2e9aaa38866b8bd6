// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods and verifiers of the optimizer ops.

#include "Verification.h"
#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

/// What updates of one parameter share: the gradient has the parameter's shape,
/// and only a matrix is quantized.
template <typename Op> static LogicalResult verifyUpdate(Op op) {
  auto shape = cast<RankedTensorType>(op.getParam().getType()).getShape();
  if (failed(verifyShape(op, "the gradient", op.getGradient(), shape)))
    return failure();
  if (op.getScale() && shape.size() != 2)
    return op.emitOpError() << "quantizes a parameter that is not a matrix: "
                            << op.getParam().getType();
  SmallVector<int64_t> matrix(shape.begin(), shape.end());
  matrix.resize(2);
  return verifyQuantizedResults(op, matrix, bool(op.getScale()),
                                op.getRowwise(), op.getColumnwise(),
                                op.getAmax());
}

void ClipCoefficientOp::watchAmaxes(ValueRange amaxes) {
  getAmaxesMutable().append(amaxes);
}

LogicalResult AdamWOp::verify() { return verifyUpdate(*this); }

LogicalResult SgdOp::verify() {
  bool hasMomentum = bool(getMomentum());
  if (hasMomentum != bool(getMomentumBuffer()) ||
      hasMomentum != bool(getNewMomentumBuffer()))
    return emitOpError()
           << "expects a momentum, a buffer for it and the new buffer together";
  if (hasMomentum)
    for (Value buffer : {getMomentumBuffer(), getNewMomentumBuffer()})
      if (buffer.getType() != getParam().getType())
        return emitOpError()
               << "expects the momentum's buffer to be " << getParam().getType()
               << ", got " << buffer.getType();
  if (!hasMomentum && (getDampening() || getNesterov()))
    return emitOpError() << "has "
                         << (getDampening() ? "dampening" : "nesterov")
                         << " without a momentum";
  return verifyUpdate(*this);
}
