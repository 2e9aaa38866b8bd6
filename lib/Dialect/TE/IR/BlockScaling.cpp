// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipe with a scale for each block: 128 x 128 elements of weights, 1 x
// 128 of inputs and gradients.

#include "StepScale.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult
BlockScalingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         Fp8Format, bool, FloatAttr epsilon) {
  return verifyEpsilon(emitError, epsilon);
}

DictionaryAttr BlockScalingAttr::getParameters() const {
  return StepScale::of(*this).getParameters(getContext());
}

static constexpr int64_t kBlockSize = 128;

SmallVector<int64_t>
BlockScalingAttr::getScaleShape(TensorRole role, ArrayRef<int64_t> copy) const {
  auto count = [](int64_t size) {
    return static_cast<int64_t>(llvm::divideCeil(size, kBlockSize));
  };
  return {role == TensorRole::Weight ? count(copy[0]) : copy[0],
          count(copy[1])};
}

Value BlockScalingAttr::buildScale(OpBuilder &builder, Location loc,
                                   Value tensor, FloatType format,
                                   ArrayRef<int64_t> shape, bool transposed,
                                   ValueRange, int64_t) const {
  return StepScale::of(*this).build(builder, loc, tensor, format, shape,
                                    transposed);
}

Value BlockScalingAttr::buildScaleInv(OpBuilder &, Location, Value scale,
                                      ValueRange, int64_t) const {
  return getStepScaleInv(scale);
}

std::optional<std::string>
BlockScalingAttr::checkScale(Value scale, Value scaleInv, Value tensor,
                             FloatType format, ArrayRef<int64_t> copy,
                             bool transposed) const {
  // What reads the copy knows its role.
  return StepScale::of(*this).check(scale, scaleInv, tensor, format,
                                    {getScaleShape(TensorRole::Input, copy),
                                     getScaleShape(TensorRole::Weight, copy)},
                                    transposed);
}
