// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatters: elements written by position.

#include "TensorMath.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

static LogicalResult importScatterND(GraphImporter &importer,
                                     const Node &node) {
  Value data = importer.getValue(node, 0), updates = importer.getValue(node, 2);
  if (!data || !updates)
    return failure();
  const ConstantTensor *indices = importer.getConstant(node, 1);
  if (!indices || !indices->isInt())
    return importer.unsupported(node, "it writes at positions that depend on "
                                      "the model's inputs");
  if (node.getString("reduction").value_or("none") != "none")
    return importer.unsupported(node, "it combines what it writes with what "
                                      "was there");
  Type element = tensorType(data).getElementType();
  if (!isa<FloatType>(element) && !element.isInteger(1))
    return importer.unsupported(node, "it writes integers");
  ArrayRef<int64_t> shape = tensorType(data).getShape();
  int64_t depth = indices->getRank() ? indices->getShape().back() : 0;
  if (depth < 1 || depth > int64_t(shape.size()))
    return importer.unsupported(node, "its indices do not fit its input");
  if (failed(checkPositions(importer, node, 1, shape.take_front(depth))))
    return failure();
  SmallVector<int64_t> parts = indices->toInts(), targets;
  for (size_t at = 0; at < parts.size(); at += depth) {
    int64_t row = 0;
    for (int64_t dim = 0; dim < depth; ++dim) {
      int64_t part = parts[at + dim];
      row = row * shape[dim] + part + (part < 0 ? shape[dim] : 0);
    }
    targets.push_back(row);
  }
  int64_t rows = ShapedType::getNumElements(shape.take_front(depth));
  int64_t size = ShapedType::getNumElements(shape.drop_front(depth));
  if (targets.empty() ||
      tensorType(updates).getNumElements() != int64_t(targets.size()) * size)
    return importer.unsupported(node, "its updates do not fit its indices");
  TensorMath math(importer, node.getLoc());
  Value y = math.replaceRows(
      math.reshape(isFloat(data) ? data : math.widen(data), {rows, size}),
      math.reshape(isFloat(updates) ? updates : math.widen(updates),
                   {int64_t(targets.size()), size}),
      targets);
  return importer.define(node, math.reshape(math.convert(y, element), shape));
}

static LogicalResult importScatterElements(GraphImporter &importer,
                                           const Node &node) {
  Value data = importer.getValue(node, 0), ids = importer.getValue(node, 1),
        updates = importer.getValue(node, 2);
  if (!data || !ids || !updates)
    return failure();
  RankedTensorType type = tensorType(data), idType = tensorType(ids);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(0), type.getRank());
  if (failed(axis))
    return failure();
  StringRef reduction = node.getString("reduction").value_or("none");
  if (reduction != "none" && reduction != "add")
    return importer.unsupported(node, "its reduction '" + reduction +
                                          "' is not known");
  if (isFloat(ids) || tensorType(updates).getShape() != idType.getShape() ||
      idType.getRank() != type.getRank())
    return importer.unsupported(node, "its indices do not fit its input");
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != *axis && idType.getDimSize(dim) != type.getDimSize(dim))
      return importer.unsupported(node, "it writes to a part of its input");
  if (reduction == "add" && type.getElementType().isInteger(1))
    return importer.unsupported(node, "it adds truth values");
  ArrayRef<int64_t> shape = type.getShape();
  if (failed(checkPositions(importer, node, 1, shape[*axis])))
    return failure();
  TensorMath math(importer, node.getLoc());
  int64_t size = shape[*axis], count = idType.getDimSize(*axis);
  int64_t outer = ShapedType::getNumElements(shape.take_front(*axis));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(*axis + 1));
  ids = math.reshape(math.fromFront(ids, size), {outer, count, inner});
  Type element = type.getElementType();
  bool isTruth = element.isInteger(1);
  if (isTruth)
    updates = math.convert(updates, importer.builder.getI64Type());
  updates = math.reshape(updates, {outer, count, inner});
  SmallVector<int64_t> dims{outer, size, inner};
  Value sum = math.scatterSum(ids, updates, dims);
  Value old = math.reshape(data, dims), y;
  if (reduction == "add") {
    y = isFloat(old) ? math.apply<arith::AddFOp>(old, sum)
                     : math.apply<arith::AddIOp>(old, sum);
  } else {
    // Positions written twice may have either value; here it is their sum.
    Value ones = math.number(tensorType(ids), 1);
    Value written = math.scatterSum(ids, ones, dims);
    Value isWritten = math.compare(arith::CmpIPredicate::ne, written,
                                   math.number(tensorType(written), 0));
    y = math.select(isWritten, isTruth ? math.convert(sum, element) : sum, old);
  }
  return importer.define(node, math.reshape(y, shape));
}

void mlir::te::onnx_import::populateScatterHandlers(HandlerTable &table) {
  table["ScatterND"] = importScatterND;
  table["ScatterElements"] = importScatterElements;
}
