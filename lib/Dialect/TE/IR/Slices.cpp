// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::te;

Value mlir::te::sliceDim(OpBuilder &builder, Location loc, Value value,
                         int64_t dim, int64_t first, int64_t size,
                         int64_t stride) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  offsets[dim] = builder.getIndexAttr(first);
  strides[dim] = builder.getIndexAttr(stride);
  return tensor::ExtractSliceOp::create(
      builder, loc, type.clone(shape), value, offsets,
      getAsIndexOpFoldResult(builder.getContext(), shape), strides);
}
