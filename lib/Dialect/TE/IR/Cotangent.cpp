// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Cotangent.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

Value mlir::te::convertElementType(OpBuilder &builder, Location loc,
                                   Value value, Type elementType) {
  RankedTensorType type = tensorType(value);
  if (type.getElementType() == elementType)
    return value;
  Type result = type.clone(elementType);
  if (type.getElementTypeBitWidth() < elementType.getIntOrFloatBitWidth())
    return builder.createOrFold<arith::ExtFOp>(loc, result, value);
  return builder.createOrFold<arith::TruncFOp>(loc, result, value);
}

Value mlir::te::createZeros(OpBuilder &builder, Location loc,
                            RankedTensorType type) {
  Attribute zero = builder.getZeroAttr(type.getElementType());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, zero));
}

/// All dimensions but the last in one group, the last in another.
static SmallVector<ReassociationIndices> rowsAndColumns(int64_t rank) {
  if (rank == 0)
    return {};
  if (rank == 1)
    return {{0, 1}};
  ReassociationIndices rows = llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
  return {rows, {rank - 1}};
}

static RankedTensorType matrixType(RankedTensorType type) {
  int64_t rank = type.getRank();
  int64_t columns = rank == 0 ? 1 : type.getShape().back();
  int64_t rows = 1;
  for (int64_t i = 0; i + 1 < rank; ++i)
    rows *= type.getDimSize(i);
  return RankedTensorType::get({rows, columns}, type.getElementType());
}

Value mlir::te::collapseToMatrix(OpBuilder &builder, Location loc,
                                 Value value) {
  RankedTensorType type = tensorType(value), matrix = matrixType(type);
  if (type.getRank() == 2)
    return value;
  SmallVector<ReassociationIndices> groups = rowsAndColumns(type.getRank());
  if (type.getRank() < 2)
    return builder.createOrFold<tensor::ExpandShapeOp>(loc, matrix, value,
                                                       groups);
  return builder.createOrFold<tensor::CollapseShapeOp>(loc, matrix, value,
                                                       groups);
}

Value mlir::te::expandFromMatrix(OpBuilder &builder, Location loc, Value matrix,
                                 ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(matrix).clone(shape);
  if (type.getRank() == 2)
    return matrix;
  SmallVector<ReassociationIndices> groups = rowsAndColumns(type.getRank());
  if (type.getRank() < 2)
    return builder.createOrFold<tensor::CollapseShapeOp>(loc, type, matrix,
                                                         groups);
  return builder.createOrFold<tensor::ExpandShapeOp>(loc, type, matrix, groups);
}

Value mlir::te::addTensors(OpBuilder &builder, Location loc, Value a, Value b) {
  RankedTensorType type = tensorType(a);
  if (tensorType(b).getElementTypeBitWidth() > type.getElementTypeBitWidth())
    type = tensorType(b);
  Value sum = AddOp::create(builder, loc, matrixType(type),
                            collapseToMatrix(builder, loc, a),
                            collapseToMatrix(builder, loc, b));
  return expandFromMatrix(builder, loc, sum, type.getShape());
}
