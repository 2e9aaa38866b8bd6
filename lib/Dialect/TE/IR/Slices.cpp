// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::te;

Value mlir::te::sliceTensor(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                            ArrayRef<int64_t> strides) {
  RankedTensorType type = cast<RankedTensorType>(value.getType()).clone(sizes);
  if (type.getNumElements() == 0)
    return tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  auto constants = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  return tensor::ExtractSliceOp::create(builder, loc, type, value,
                                        constants(offsets), constants(sizes),
                                        constants(strides));
}

Value mlir::te::sliceDim(OpBuilder &builder, Location loc, Value value,
                         int64_t dim, int64_t first, int64_t size,
                         int64_t stride) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  offsets[dim] = first;
  strides[dim] = stride;
  return sliceTensor(builder, loc, value, offsets, shape, strides);
}
