// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verification.h"

#include "mlir/IR/TypeUtilities.h"
#include "te/Dialect/TE/IR/ScaleShape.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

static std::string shapeToString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(shape, os);
  os << "]";
  return text;
}

LogicalResult mlir::te::verifyShape(Operation *op, StringRef what, Value value,
                                    ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return success();
  return op->emitOpError() << "expects " << what << " to have shape "
                           << shapeToString(shape) << ", but it is " << type;
}

/// One dimension of a copy may be the value's own or that rounded up.
static bool isPaddedSize(int64_t size, int64_t padded) {
  return padded == size ||
         padded == static_cast<int64_t>(llvm::alignTo(size, kFp8Alignment));
}

LogicalResult mlir::te::verifyScale(Operation *op, StringRef what, Value scale,
                                    ArrayRef<int64_t> matrix) {
  auto type = cast<RankedTensorType>(scale.getType());
  if (getScaleBlock(matrix, type.getShape()))
    return success();
  return op->emitOpError()
         << "expects " << what << " to be a scalar, or [r, c] for blocks of a "
         << shapeToString(matrix)
         << " matrix whose sizes are powers of two, or all of a dimension, but "
            "it is "
         << type;
}

LogicalResult mlir::te::verifyQuantizedResults(Operation *op,
                                               ArrayRef<int64_t> shape,
                                               bool hasScale, Value rowwise,
                                               Value columnwise, Value amax) {
  bool quantizes = rowwise || columnwise || amax;
  if (quantizes && !hasScale)
    return op->emitOpError()
           << "has quantized results but no scale; add quantize(%scale)";
  if (hasScale && !quantizes)
    return op->emitOpError() << "has a scale but no quantized result";
  auto check = [&](StringRef what, Value copy, int64_t rows,
                   int64_t columns) -> LogicalResult {
    if (!copy)
      return success();
    auto type = cast<RankedTensorType>(copy.getType());
    if (isPaddedSize(rows, type.getDimSize(0)) &&
        isPaddedSize(columns, type.getDimSize(1)))
      return success();
    return op->emitOpError()
           << "expects the " << what << " copy to have shape "
           << shapeToString({rows, columns})
           << ", each dimension as it is or rounded up to a multiple of "
           << kFp8Alignment << ", but it is " << type;
  };
  if (failed(check("rowwise", rowwise, shape[0], shape[1])) ||
      failed(check("columnwise", columnwise, shape[1], shape[0])))
    return failure();
  if (rowwise && columnwise &&
      getElementTypeOrSelf(rowwise) != getElementTypeOrSelf(columnwise))
    return op->emitOpError()
           << "expects both copies to have one element type, but they are "
           << rowwise.getType() << " and " << columnwise.getType();
  return success();
}
