// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorMath.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

FailureOr<int64_t> onnx_import::getAxis(GraphImporter &importer,
                                        const Node &node, int64_t axis,
                                        int64_t rank) {
  if (axis < -rank || axis >= rank)
    return importer.unsupported(node, "its axis is not valid");
  return axis < 0 ? axis + rank : axis;
}

LogicalResult onnx_import::checkPositions(GraphImporter &importer,
                                          const Node &node, size_t input,
                                          ArrayRef<int64_t> sizes) {
  const ConstantTensor *constant = importer.getConstant(node, input);
  if (!constant || !constant->isInt())
    return success();
  for (auto [i, position] : llvm::enumerate(constant->toInts())) {
    int64_t size = sizes[i % sizes.size()];
    if (position < -size || position >= size)
      return importer.unsupported(node, "index " + Twine(position) +
                                            " is outside its dimension of " +
                                            Twine(size) + " elements");
  }
  return success();
}
