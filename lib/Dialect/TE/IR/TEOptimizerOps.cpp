// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the optimizer ops.

#include "Verification.h"
#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult AdamWOp::verify() {
  auto shape = cast<RankedTensorType>(getParam().getType()).getShape();
  if (failed(verifyShape(*this, "the gradient", getGradient(), shape)))
    return failure();
  if (getScale() && shape.size() != 2)
    return emitOpError() << "quantizes a parameter that is no matrix: "
                         << getParam().getType();
  SmallVector<int64_t> matrix(shape.begin(), shape.end());
  matrix.resize(2);
  return verifyQuantizedResults(*this, matrix, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}
