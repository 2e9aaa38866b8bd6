// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinearMap.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

Value mlir::te::onnx_import::mapDimensions(GraphImporter &importer,
                                           const Node &node, Value x,
                                           ArrayRef<int64_t> dims,
                                           std::vector<float> matrix,
                                           ArrayRef<int64_t> to) {
  RankedTensorType type = tensorType(x);
  unsigned next = type.getRank();
  SmallVector<unsigned> labels = llvm::to_vector(llvm::seq<unsigned>(0, next));
  SmallVector<unsigned> matrixLabels, result = labels;
  Shape shape;
  for (int64_t dim : dims) {
    matrixLabels.push_back(dim);
    shape.push_back(type.getDimSize(dim));
  }
  for (auto [dim, size] : llvm::zip_equal(dims, to)) {
    matrixLabels.push_back(next);
    shape.push_back(size);
    result[dim] = next++;
  }
  TensorMath math(importer, node.getLoc());
  Value constant = importer.TensorBuilder::materialize(
      node.getLoc(), ConstantTensor(std::move(matrix), shape),
      importer.builder.getF32Type());
  if (!constant) {
    (void)importer.unsupported(node, "its coefficients are too many");
    return {};
  }
  // In float32: the coefficients are not parameters for which bfloat16 was
  // chosen.
  Value y =
      math.contract(math.widen(x), labels, constant, matrixLabels, result);
  return math.convert(y, type.getElementType());
}
