// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipes whose scales are made of amaxes of the same step: one a tensor,
// or one a row.

#include "StepScale.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// One scale a tensor
//===----------------------------------------------------------------------===//

std::optional<std::string>
CurrentScalingAttr::checkScale(Value scale, Value scaleInv, Value tensor,
                               FloatType format, ArrayRef<int64_t> copy,
                               bool transposed) const {
  return StepScale::of(*this).check(scale, scaleInv, tensor, format,
                                    {SmallVector<int64_t>()}, transposed);
}

//===----------------------------------------------------------------------===//
// One scale a row
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
RowScalingAttr::getScaleShape(TensorRole, ArrayRef<int64_t> copy) const {
  return {copy[0], 1};
}

std::optional<std::string>
RowScalingAttr::checkScale(Value scale, Value scaleInv, Value tensor,
                           FloatType format, ArrayRef<int64_t> copy,
                           bool transposed) const {
  return StepScale::of(*this).check(scale, scaleInv, tensor, format,
                                    {SmallVector<int64_t>{copy[0], 1}},
                                    transposed);
}
