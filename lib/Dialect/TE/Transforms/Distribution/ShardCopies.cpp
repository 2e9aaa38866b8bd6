// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/ShardCopies.h"

#include "te/Dialect/TE/IR/Cotangent.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

RankedTensorType mlir::te::getShardCopyType(const FlatShards &parts,
                                            RankedTensorType whole,
                                            bool columnwise) {
  SmallVector<int64_t> shape(parts.getPart());
  // Rows are padded by the op that makes them.
  if (parts.isInRows())
    shape.back() = whole.getDimSize(columnwise ? 0 : 1);
  return RankedTensorType::get(shape, whole.getElementType());
}

/// Inserts `value` into `into` at (row, column).
static Value insertAt(OpBuilder &builder, Location loc, Value value, Value into,
                      int64_t row, int64_t column) {
  auto type = cast<RankedTensorType>(value.getType());
  auto indices = [&](int64_t a, int64_t b) -> SmallVector<OpFoldResult> {
    return {builder.getIndexAttr(a), builder.getIndexAttr(b)};
  };
  return tensor::InsertSliceOp::create(
      builder, loc, value, into, indices(row, column),
      indices(type.getDimSize(0), type.getDimSize(1)), indices(1, 1));
}

/// Pads `value` with zeros below and to the right.
static Value padMatrix(OpBuilder &builder, Location loc, Value value,
                       RankedTensorType padded) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type == padded)
    return value;
  const int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  Type element = padded.getElementType();
  Value result =
      tensor::EmptyOp::create(builder, loc, padded.getShape(), element);
  result = insertAt(builder, loc, value, result, 0, 0);
  auto zerosAt = [&](int64_t row, int64_t column, int64_t height,
                     int64_t width) {
    if (height == 0 || width == 0)
      return;
    Value zeros = createZeros(builder, loc,
                              RankedTensorType::get({height, width}, element));
    result = insertAt(builder, loc, zeros, result, row, column);
  };
  zerosAt(0, columns, rows, padded.getDimSize(1) - columns);
  zerosAt(rows, 0, padded.getDimSize(0) - rows, padded.getDimSize(1));
  return result;
}

Value mlir::te::gatherCopy(OpBuilder &builder, Location loc,
                           const FlatShards &parts, Value part,
                           RankedTensorType whole) {
  SmallVector<int64_t> shape(parts.getWhole());
  if (parts.isInRows())
    shape.back() = cast<RankedTensorType>(part.getType()).getShape().back();
  Value all = FlatShards(shape, parts.getAxis()).gather(builder, loc, part);
  return padMatrix(builder, loc, all, whole);
}

Value mlir::te::transposeMatrix(OpBuilder &builder, Location loc,
                                Value matrix) {
  auto type = cast<RankedTensorType>(matrix.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, {type.getDimSize(1), type.getDimSize(0)},
      type.getElementType());
  return linalg::TransposeOp::create(builder, loc, matrix, empty,
                                     ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}
