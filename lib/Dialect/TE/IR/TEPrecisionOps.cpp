// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the precision ops.

#include "Verification.h"
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
  if (getDbias() &&
      failed(verifyShape(*this, "dbias", getDbias(), {shapeOf(getX())[1]})))
    return failure();
  return verifyQuantizedResults(*this, shapeOf(getX()), /*hasScale=*/true,
                                getRowwise(), getColumnwise(), getAmax());
}

LogicalResult DequantizeOp::verify() {
  return verifyShape(*this, "the result", getY(), shapeOf(getX()));
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
