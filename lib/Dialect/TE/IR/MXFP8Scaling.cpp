// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipe of the format MXFP8: a scale in E8M0 for each 1 x 32 elements.

#include "StepScale.h"

using namespace mlir;
using namespace mlir::te;

static constexpr int64_t kMXBlockSize = 32;

static StepScale getStepScale(MXFP8ScalingAttr recipe) {
  return {recipe.getFormat(), /*powerOfTwo=*/false, /*epsilon=*/0,
          recipe.getScaleInvType()};
}

FloatType MXFP8ScalingAttr::getScaleInvType() const {
  return Float8E8M0FNUType::get(getContext());
}

DictionaryAttr MXFP8ScalingAttr::getParameters() const {
  Builder builder(getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr(
      "format", builder.getStringAttr(stringifyFp8Format(getFormat()))));
}

SmallVector<int64_t>
MXFP8ScalingAttr::getScaleShape(TensorRole, ArrayRef<int64_t> copy) const {
  return {copy[0], llvm::divideCeilSigned(copy[1], kMXBlockSize)};
}

Value MXFP8ScalingAttr::buildScale(OpBuilder &builder, Location loc,
                                   Value tensor, FloatType format,
                                   ArrayRef<int64_t> shape, bool transposed,
                                   ValueRange, int64_t) const {
  return getStepScale(*this).build(builder, loc, tensor, format, shape,
                                   transposed);
}

Value MXFP8ScalingAttr::buildScaleInv(OpBuilder &, Location, Value scale,
                                      ValueRange, int64_t) const {
  return getStepScaleInv(scale);
}

std::optional<std::string>
MXFP8ScalingAttr::checkScale(Value scale, Value scaleInv, Value tensor,
                             FloatType format, ArrayRef<int64_t> copy,
                             bool transposed) const {
  return getStepScale(*this).check(scale, scaleInv, tensor, format,
                                   {getScaleShape(TensorRole::Input, copy)},
                                   transposed);
}
