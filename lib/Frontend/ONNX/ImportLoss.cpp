// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss of models that were exported with their labels.

#include "TensorMath.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// Scores [N, C, ...] and labels [N, ...].
static LogicalResult importSoftmaxCrossEntropyLoss(GraphImporter &importer,
                                                   const Node &node) {
  Value scores = importer.getValue(node, 0);
  Value labels = importer.getValue(node, 1);
  if (!scores || !labels)
    return failure();
  if (!isFloat(scores))
    return importer.unsupported(node, "its scores are not made of floats");
  SmallVector<int64_t> shape(tensorType(scores).getShape());
  SmallVector<int64_t> ofRows(shape);
  if (shape.size() > 1)
    ofRows.erase(ofRows.begin() + 1);
  if (shape.size() < 2 || tensorType(labels).getShape() != ArrayRef(ofRows))
    return importer.unsupported(node, "its labels do not have the shape of its "
                                      "scores without the classes");
  Type index = tensorType(labels).getElementType();
  if (!index.isInteger(64) && !index.isInteger(32))
    return importer.unsupported(node, "its labels are not made of int64 or "
                                      "int32");
  if (node.hasInput(2))
    return importer.unsupported(node, "its classes have weights");
  StringRef reduction = node.getString("reduction").value_or("mean");
  if (reduction != "mean" && reduction != "sum")
    return importer.unsupported(node, "its losses are neither averaged nor "
                                      "summed");
  if (node.getNumOutputs() > 1 && !node.getProto().output(1).empty())
    return importer.unsupported(node, "it also returns the logarithms of the "
                                      "probabilities");
  // Without the attribute every label counts: none has this value.
  int64_t ignored =
      node.getInt("ignore_index").value_or(std::numeric_limits<int64_t>::min());

  TensorMath math(importer, node.getLoc());
  int64_t classes = shape[1], rows = tensorType(labels).getNumElements();
  if (shape.size() > 2) {
    SmallVector<int64_t> permutation = {0};
    for (int64_t dim = 2; dim < int64_t(shape.size()); ++dim)
      permutation.push_back(dim);
    permutation.push_back(1);
    scores = math.transpose(scores, permutation);
  }
  Type element = tensorType(scores).getElementType();
  if (!element.isBF16())
    scores = math.widen(scores);
  auto op = CrossEntropyOp::create(
      importer.builder, node.getLoc(), math.reshape(scores, {rows, classes}),
      math.reshape(labels, {rows}), ignored,
      reduction == "sum" ? Reduction::Sum : Reduction::Mean);
  return importer.define(node, math.convert(op.getLoss(), element));
}

void mlir::te::onnx_import::populateLossHandlers(HandlerTable &table) {
  table["SoftmaxCrossEntropyLoss"] = importSoftmaxCrossEntropyLoss;
}
