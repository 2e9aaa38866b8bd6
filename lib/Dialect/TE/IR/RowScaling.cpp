// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The row-scaling recipe.

#include "CurrentScaling.h"

using namespace mlir;
using namespace mlir::te;

StringRef RowScalingAttr::getRecipeName() const { return "row_scaling"; }

FloatType RowScalingAttr::getElementType(TensorRole role) const {
  return te::getElementType(getContext(), getFormat(), role);
}

DictionaryAttr RowScalingAttr::getParameters() const {
  Builder builder(getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr(
      "format", builder.getStringAttr(stringifyFp8Format(getFormat()))));
}

SmallVector<int64_t>
RowScalingAttr::getScaleShape(TensorRole, ArrayRef<int64_t> copy) const {
  return {copy[0], 1};
}

Value RowScalingAttr::buildScale(OpBuilder &builder, Location loc, Value tensor,
                                 FloatType format, ArrayRef<int64_t> shape,
                                 bool transposed, ValueRange, int64_t) const {
  return buildCurrentScale(builder, loc, tensor, format, shape, transposed);
}

Value RowScalingAttr::buildScaleInv(OpBuilder &, Location, Value scale,
                                    ValueRange, int64_t) const {
  return scale.getDefiningOp<ComputeScaleOp>().getScaleInv();
}

std::optional<std::string>
RowScalingAttr::checkScale(Value scale, Value scaleInv, Value tensor,
                           FloatType format, ArrayRef<int64_t> copy,
                           bool transposed) const {
  return checkCurrentScale(scale, scaleInv, tensor, format, {copy[0], 1},
                           transposed);
}
