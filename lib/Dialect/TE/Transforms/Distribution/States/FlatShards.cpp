// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/States/FlatShards.h"

#include "Raise/LoopLabels.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

FlatShards::FlatShards(ArrayRef<int64_t> tensor, ShardAxis axis,
                       bool areMatrices)
    : tensor(tensor), whole(tensor), axis(axis),
      count(ShapedType::getNumElements(tensor)),
      size(llvm::divideCeil(count, axis.ranks)) {
  if (areMatrices && tensor.size() > 2)
    whole = {count / tensor.back(), tensor.back()};
  if (whole.front() % axis.ranks == 0) {
    part.assign(whole.begin(), whole.end());
    part.front() /= axis.ranks;
  } else if (areMatrices) {
    // A row length that suits kernels.
    int64_t columns = 1024;
    while (size % columns != 0)
      columns /= 2;
    part = columns < kFp8Alignment
               ? SmallVector<int64_t>{1, size}
               : SmallVector<int64_t>{size / columns, columns};
  } else {
    part = {size};
  }
}

std::optional<FlatShards> FlatShards::getStateScales() const {
  FlatShards scales = *this;
  auto divide = [](int64_t &size) {
    size = llvm::divideCeilSigned(size, kStateBlock);
  };
  if (!isInRows()) {
    // Elements in a row follow the last ones of the row before.
    if (whole.back() % kStateBlock != 0 || part.size() != 2 ||
        part.back() % kStateBlock != 0)
      return std::nullopt;
  }
  divide(scales.tensor.back());
  divide(scales.whole.back());
  divide(scales.part.back());
  scales.count = ShapedType::getNumElements(scales.whole);
  scales.size = ShapedType::getNumElements(scales.part);
  return scales;
}

ShardAttr FlatShards::getShard(RankedTensorType type, ShardAttr before) const {
  MLIRContext *context = type.getContext();
  int32_t axes = int32_t(1) << axis.axis;
  if (!before)
    return ShardAttr::get(context, type.getShape(), /*dim_axes=*/0, /*dim=*/0,
                          /*blocks=*/{}, axes);
  return ShardAttr::get(context, before.getShape(), before.getDimAxes(),
                        before.getDim(), before.getBlocks(),
                        before.getFlatAxes() | axes);
}

Value mlir::te::insertAt(OpBuilder &builder, Location loc, Value value,
                         Value into, ArrayRef<int64_t> offsets) {
  SmallVector<int64_t> ones(offsets.size(), 1);
  auto indices = [&](ArrayRef<int64_t> of) {
    return getAsIndexOpFoldResult(builder.getContext(), of);
  };
  return tensor::InsertSliceOp::create(
      builder, loc, value, into, indices(offsets), indices(tensorShape(value)),
      indices(ones));
}

Value mlir::te::padTo(OpBuilder &builder, Location loc, Value value,
                      ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(value);
  if (type.getShape() == shape)
    return value;
  SmallVector<int64_t> offsets(shape.size(), 0), zeros(type.getShape());
  Value padded =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  padded = insertAt(builder, loc, value, padded, offsets);
  // To the right, then below.
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    const int64_t size = type.getDimSize(dim);
    zeros[dim] = shape[dim] - size;
    if (zeros[dim] != 0) {
      offsets[dim] = size;
      padded =
          insertAt(builder, loc, createZeros(builder, loc, type.clone(zeros)),
                   padded, offsets);
      offsets[dim] = 0;
    }
    zeros[dim] = shape[dim];
  }
  return padded;
}

Value FlatShards::scatterSum(OpBuilder &builder, Location loc,
                             Value value) const {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  SmallVector<int64_t> shape(part);
  if (isInRows()) {
    value = reshapeTo(builder, loc, value, whole);
  } else {
    value = padTo(builder, loc, reshapeTo(builder, loc, value, {count}),
                  {size * axis.ranks});
    shape = {size};
  }
  Value sum = shard::ReduceScatterOp::create(
      builder, loc, RankedTensorType::get(shape, element), axis.grid,
      ArrayRef(axis.axis), value, shard::ReductionKind::Sum, APInt(64, 0));
  return reshapeTo(builder, loc, sum, part);
}

Value FlatShards::gather(OpBuilder &builder, Location loc, Value value) const {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  bool inRows = isInRows();
  value = reshapeTo(builder, loc, value,
                    inRows ? ArrayRef<int64_t>(part) : ArrayRef(size));
  SmallVector<int64_t> shape(whole);
  if (!inRows)
    shape = {size * axis.ranks};
  Value all = shard::AllGatherOp::create(
      builder, loc, RankedTensorType::get(shape, element), axis.grid,
      ArrayRef(axis.axis), value, APInt(64, 0));
  if (!inRows && shape.front() != count)
    all = sliceDim(builder, loc, all, /*dim=*/0, /*first=*/0, count);
  return reshapeTo(builder, loc, all, whole);
}
