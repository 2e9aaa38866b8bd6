// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConstantFolding.h"

using namespace mlir;
using namespace mlir::te::onnx_import;

LogicalResult FoldContext::fail(const Twine &message) {
  if (error.empty())
    error = message.str();
  return failure();
}

LogicalResult FoldContext::succeed(ConstantTensor result) {
  results.push_back(std::move(result));
  return success();
}

FailureOr<const ConstantTensor *> FoldContext::getInput(size_t index) {
  if (hasInput(index))
    return inputs[index];
  return fail("input " + Twine(index) + " is missing");
}

FailureOr<SmallVector<int64_t>> FoldContext::getInts(size_t index) {
  auto input = getInput(index);
  if (failed(input))
    return failure();
  if (!(*input)->isInt())
    return fail("input " + Twine(index) + " is not made of integers");
  if (failed(checkSize((*input)->getShape())))
    return failure();
  return (*input)->toInts();
}

FailureOr<int64_t> FoldContext::normalizeAxis(int64_t axis, int64_t rank) {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  return fail("axis " + Twine(axis) + " is outside a tensor of rank " +
              Twine(rank));
}

FailureOr<int64_t> FoldContext::checkSize(ArrayRef<int64_t> shape,
                                          int64_t elementSize) {
  std::optional<int64_t> count = countElements(shape);
  if (!count || *count > maxBytes / elementSize)
    return fail("the constant it computes takes more than " + Twine(maxBytes) +
                " bytes");
  return *count;
}

FailureOr<ConstantTensor>
FoldContext::makeContiguous(const ConstantTensor &tensor) {
  Shape strides = contiguousStrides(tensor.getShape());
  if (ArrayRef<int64_t>(strides) == tensor.getStrides())
    return tensor;
  if (failed(checkSize(tensor.getShape(), tensor.isBool() ? 1 : 8)))
    return failure();
  int32_t type = tensor.getElementType();
  if (tensor.isInt())
    return ConstantTensor(tensor.toVector<int64_t>(), tensor.getShape(), type);
  if (tensor.isFloat())
    return ConstantTensor(tensor.toVector<float>(), tensor.getShape(), type);
  return ConstantTensor(tensor.toVector<uint8_t>(), tensor.getShape(), type);
}

FoldTable mlir::te::onnx_import::getFoldTable() {
  FoldTable table;
  populateElementwiseFolds(table);
  populateShapeFolds(table);
  populateIndexingFolds(table);
  populateReductionFolds(table);
  return table;
}
