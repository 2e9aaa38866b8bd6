// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Slices.h"

#include "te/Support/TensorType.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
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

std::optional<int64_t> mlir::te::getDividedDim(tensor::ExtractSliceOp op) {
  if (!op.getSourceType().hasStaticShape() || !op.getOffsets().empty() ||
      !op.getSizes().empty() || !op.getStrides().empty() ||
      !op.hasUnitStride() ||
      op.getType().getRank() != op.getSourceType().getRank())
    return std::nullopt;
  std::optional<int64_t> divided;
  for (auto [dim, size] : llvm::enumerate(op.getStaticSizes()))
    if (size != op.getSourceType().getDimSize(dim)) {
      if (divided)
        return std::nullopt;
      divided = dim;
    }
  return divided;
}

Value mlir::te::reshapeTo(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> shape) {
  RankedTensorType from = tensorType(value), to = from.clone(shape);
  if (from == to)
    return value;
  if (from.getRank() != to.getRank())
    if (auto groups = getReassociationIndicesForReshape(from, to)) {
      if (from.getRank() > to.getRank())
        return tensor::CollapseShapeOp::create(builder, loc, to, value,
                                               *groups);
      return tensor::ExpandShapeOp::create(builder, loc, to, value, *groups);
    }
  auto all = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)));
    return groups;
  };
  RankedTensorType flat = from.clone({from.getNumElements()});
  if (from.getRank() == 0)
    value = tensor::ExpandShapeOp::create(builder, loc, flat, value, all(0));
  else if (from != flat)
    value = tensor::CollapseShapeOp::create(builder, loc, flat, value,
                                            all(from.getRank()));
  if (to == flat)
    return value;
  if (to.getRank() == 0)
    return tensor::CollapseShapeOp::create(builder, loc, to, value, all(0));
  return tensor::ExpandShapeOp::create(builder, loc, to, value,
                                       all(to.getRank()));
}
