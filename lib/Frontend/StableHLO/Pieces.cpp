// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pieces.h"
#include "../Common/TensorMath.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

static tensor::ConcatOp getConcat(Value value, int64_t dim) {
  auto concat = value.getDefiningOp<tensor::ConcatOp>();
  return concat && int64_t(concat.getDim()) == dim ? concat
                                                   : tensor::ConcatOp();
}

Value mlir::te::stablehlo_import::joinPieces(TensorBuilder &tensors,
                                             Location loc,
                                             ArrayRef<Value> values,
                                             int64_t dim) {
  SmallVector<Value> pieces;
  for (Value value : values) {
    if (tensor::ConcatOp concat = getConcat(value, dim))
      llvm::append_range(pieces, concat.getInputs());
    else
      pieces.push_back(value);
  }
  return TensorMath(tensors, loc).concat(pieces, dim);
}

/// Elements [start, start + count) of a dimension. Whole pieces are reused, and
/// only the slice of a constant is materialized.
static Value cut(TensorBuilder &tensors, Location loc, Value value, int64_t dim,
                 int64_t start, int64_t count) {
  TensorMath math(tensors, loc);
  RankedTensorType type = tensorType(value);
  if (start == 0 && count == type.getDimSize(dim))
    return value;
  DenseElementsAttr splat;
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    splat = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (splat && splat.isSplat()) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = count;
    return arith::ConstantOp::create(tensors.builder, loc,
                                     splat.resizeSplat(type.clone(shape)));
  }
  tensor::ConcatOp concat = getConcat(value, dim);
  if (!concat)
    return math.slice(value, dim, start, count);
  SmallVector<Value> pieces;
  int64_t at = 0;
  for (Value piece : concat.getInputs()) {
    int64_t size = tensorType(piece).getDimSize(dim);
    int64_t first = std::max(start, at) - at,
            last = std::min(start + count, at + size) - at;
    if (first < last)
      pieces.push_back(cut(tensors, loc, piece, dim, first, last - first));
    at += size;
  }
  return math.concat(pieces, dim);
}

Value mlir::te::stablehlo_import::slicePieces(TensorBuilder &tensors,
                                              Location loc, Value value,
                                              ArrayRef<int64_t> starts,
                                              ArrayRef<int64_t> sizes,
                                              ArrayRef<int64_t> strides) {
  // One slice of all dimensions, if nothing was joined.
  bool plain = !value.getDefiningOp<tensor::ConcatOp>();
  RankedTensorType type = tensorType(value);
  if (!plain) {
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t span = (sizes[dim] - 1) * strides[dim] + 1;
      value = cut(tensors, loc, value, dim, starts[dim], span);
    }
    TensorMath math(tensors, loc);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      value = math.slice(value, dim, 0, sizes[dim], strides[dim]);
    return value;
  }
  if (type.getShape() == sizes)
    return value;
  OpBuilder &builder = tensors.builder;
  return tensor::ExtractSliceOp::create(
      builder, loc, type.clone(sizes), value,
      getAsIndexOpFoldResult(builder.getContext(), starts),
      getAsIndexOpFoldResult(builder.getContext(), sizes),
      getAsIndexOpFoldResult(builder.getContext(), strides));
}

Value mlir::te::stablehlo_import::pastePiece(TensorBuilder &tensors,
                                             Location loc, Value value,
                                             Value update,
                                             ArrayRef<int64_t> starts) {
  RankedTensorType type = tensorType(value), piece = tensorType(update);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t size = type.getDimSize(dim), count = piece.getDimSize(dim),
            start = starts[dim];
    if (count == size)
      continue;
    // Pieces before and after stay; the rest of the box is in between.
    SmallVector<Value> pieces;
    if (start > 0)
      pieces.push_back(cut(tensors, loc, value, dim, 0, start));
    SmallVector<int64_t> inner(starts);
    inner[dim] = 0;
    pieces.push_back(pastePiece(tensors, loc,
                                cut(tensors, loc, value, dim, start, count),
                                update, inner));
    if (start + count < size)
      pieces.push_back(
          cut(tensors, loc, value, dim, start + count, size - start - count));
    return joinPieces(tensors, loc, pieces, dim);
  }
  return update;
}
