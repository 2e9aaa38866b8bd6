// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the precision ops.

#include "Verification.h"
#include "te/Dialect/TE/IR/ScaleShape.h"
#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

LogicalResult QuantizeOp::verify() {
  if (!getRowwise() && !getColumnwise() && !getAmax())
    return emitOpError()
           << "has no result; ask for rowwise, columnwise or amax";
  if (!isOneScale(getScale())) {
    if (getRowwise() && getColumnwise())
      return emitOpError() << "has the scales of one copy's blocks but makes "
                              "two copies; make the other with scales of its "
                              "own";
    if (Value copy = getRowwise() ? getRowwise() : getColumnwise();
        copy &&
        failed(verifyScale(*this, "its scale", getScale(), shapeOf(copy))))
      return failure();
  }
  if (getDbias() &&
      failed(verifyShape(*this, "dbias", getDbias(), {shapeOf(getX())[1]})))
    return failure();
  return verifyQuantizedResults(*this, shapeOf(getX()), /*hasScale=*/true,
                                getRowwise(), getColumnwise(), getAmax());
}

LogicalResult DequantizeOp::verify() {
  if (failed(
          verifyScale(*this, "its scale_inv", getScaleInv(), shapeOf(getX()))))
    return failure();
  return verifyShape(*this, "the result", getY(), shapeOf(getX()));
}

LogicalResult AmaxOp::verify() {
  if (isOneScale(getAmax()))
    return success();
  ArrayRef<int64_t> shape = shapeOf(getX());
  if (shape.size() != 2)
    return emitOpError() << "has amaxes of blocks, but " << getX().getType()
                         << " is no matrix";
  // The matrix may be padded; either size of a dimension will do.
  SmallVector<int64_t> matrix(shape);
  if (getTransposed())
    std::swap(matrix[0], matrix[1]);
  auto pad = [](int64_t size) -> int64_t {
    return llvm::alignTo(size, kFp8Alignment);
  };
  ArrayRef<int64_t> amaxes = shapeOf(getAmax());
  for (int64_t rows : {matrix[0], pad(matrix[0])})
    for (int64_t columns : {matrix[1], pad(matrix[1])})
      if (getScaleBlock({rows, columns}, amaxes))
        return success();
  return verifyScale(*this, "its result", getAmax(), matrix);
}

LogicalResult UpdateScalesOp::verify() {
  int64_t slots = getAmaxes().size();
  int64_t length = getRecipe().getHistory();
  if (static_cast<int64_t>(getFormats().size()) != slots)
    return emitOpError() << "has " << slots << " amaxes but "
                         << getFormats().size() << " formats";
  for (Attribute format : getFormats())
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(
            cast<TypeAttr>(format).getValue()))
      return emitOpError() << "has format " << format
                           << "; formats are f8E4M3FN and f8E5M2";
  if (failed(verifyShape(*this, "scales", getScales(), {slots})) ||
      failed(verifyShape(*this, "scale_invs", getScaleInvs(), {slots})) ||
      failed(verifyShape(*this, "nonfinite", getNonfinite(), {slots})))
    return failure();
  return verifyShape(*this, "history", getHistory(), {length, slots});
}

LogicalResult RecordAmaxesOp::verify() {
  auto type = cast<RankedTensorType>(getHistory().getType());
  int64_t slots = getAmaxes().size();
  if (type.getRank() != 2 || type.getDimSize(0) < 1)
    return emitOpError() << "expects a history [length, slots], got " << type;
  return verifyShape(*this, "history", getHistory(),
                     {type.getDimSize(0), slots});
}

LogicalResult RegionOp::verify() {
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError() << "expects its body to end in te.yield";
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError() << "yields values of other types than its results";
  return success();
}
