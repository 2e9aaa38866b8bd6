// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipe with a scale for each block: 128 x 128 elements of weights, 1 x
// 128 of inputs and gradients.

#include "StepScale.h"

using namespace mlir;
using namespace mlir::te;

static constexpr int64_t kBlockSize = 128;

SmallVector<int64_t>
BlockScalingAttr::getScaleShape(TensorRole role, ArrayRef<int64_t> copy) const {
  auto count = [](int64_t size) {
    return static_cast<int64_t>(llvm::divideCeil(size, kBlockSize));
  };
  return {role == TensorRole::Weight ? count(copy[0]) : copy[0],
          count(copy[1])};
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
