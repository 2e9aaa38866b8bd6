// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BroadcastOperand.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

FailureOr<Operand> onnx_import::getOperand(GraphImporter &importer,
                                           const Node &node, size_t index,
                                           ElementKinds elements) {
  Operand operand;
  if (const ConstantTensor *constant = importer.getConstant(node, index)) {
    operand.shape = Shape(constant->getShape());
    // An integer is usable if a float represents it.
    if (constant->isFloat() || constant->isInt())
      operand.number = constant->getSplat();
    if (constant->isInt() && operand.number &&
        std::abs(*operand.number) > 0x1p24)
      operand.number.reset();
    if (operand.number)
      return operand;
  }
  operand.value = importer.getValue(node, index);
  if (!operand.value)
    return failure();
  Type element = tensorType(operand.value).getElementType();
  if (elements == ElementKinds::Floats && !isa<FloatType>(element))
    return importer.unsupported(node, "its inputs are not made of floats");
  if (elements == ElementKinds::Numbers && element.isInteger(1))
    return importer.unsupported(node, "its inputs are truth values");
  operand.shape = Shape(tensorType(operand.value).getShape());
  return operand;
}

FailureOr<Operand> onnx_import::getCondition(GraphImporter &importer,
                                             const Node &node, size_t index) {
  Operand operand;
  operand.value = importer.getValue(node, index);
  if (!operand.value)
    return failure();
  if (!tensorType(operand.value).getElementType().isInteger(1))
    return importer.unsupported(node, "its condition is not made of booleans");
  operand.shape = Shape(tensorType(operand.value).getShape());
  return operand;
}

FailureOr<Shape> onnx_import::getResultShape(GraphImporter &importer,
                                             const Node &node,
                                             ArrayRef<Operand> operands) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (const Operand &operand : operands)
    shapes.push_back(operand.shape);
  auto shape = broadcastShapes(shapes);
  if (!shape || !countElements(*shape))
    return importer.unsupported(node,
                                "the shapes of its inputs do not broadcast");
  return *shape;
}

RankedTensorType onnx_import::getMatrixType(ArrayRef<int64_t> shape,
                                            Type elementType) {
  int64_t columns = shape.empty() ? 1 : shape.back();
  return RankedTensorType::get(
      {ShapedType::getNumElements(shape) / std::max<int64_t>(columns, 1),
       columns},
      elementType);
}

Value onnx_import::expandOperand(GraphImporter &importer, Location loc,
                                 const Operand &operand,
                                 ArrayRef<int64_t> shape,
                                 RankedTensorType matrix) {
  if (operand.number)
    return importer.splat(loc, matrix, *operand.number);
  if (ArrayRef<int64_t>(operand.shape) == shape)
    return importer.toMatrix(loc, operand.value);
  auto broadcast = [&](ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                       ArrayRef<int64_t> added) {
    Value squeezed = importer.reshape(loc, operand.value, from);
    Value init = tensor::EmptyOp::create(importer.builder, loc, to,
                                         matrix.getElementType());
    return linalg::BroadcastOp::create(importer.builder, loc, squeezed, init,
                                       added)
        ->getResult(0);
  };
  // A row, a column or a number is broadcast directly in the matrix.
  int64_t columns = matrix.getDimSize(1);
  int64_t count = ShapedType::getNumElements(operand.shape);
  int64_t last = operand.shape.empty() ? 1 : operand.shape.back();
  if (count == 1)
    return broadcast({}, matrix.getShape(), {0, 1});
  if (count == columns && last == columns)
    return broadcast({columns}, matrix.getShape(), {0});
  if (count == matrix.getDimSize(0) && last == 1)
    return broadcast({count}, matrix.getShape(), {1});
  return importer.toMatrix(
      loc, TensorMath(importer, loc).broadcast(operand.value, shape));
}

Value onnx_import::toVector(GraphImporter &importer, Location loc, Value value,
                            int64_t size) {
  auto shape = tensorType(value).getShape();
  if (!isFloat(value) || shape.empty() || shape.back() != size ||
      tensorType(value).getNumElements() != size)
    return {};
  return importer.reshape(loc, value, {size});
}

LogicalResult
onnx_import::importFormula(GraphImporter &importer, const Node &node,
                           function_ref<Value(Formula &, Value)> build) {
  Value x = importer.getFloats(node, 0);
  if (!x)
    return failure();
  Value folded = importer.toMatrix(node.getLoc(), x);
  Formula formula(importer, node.getLoc(), tensorType(folded));
  return importer.define(node,
                         importer.reshape(node.getLoc(), build(formula, folded),
                                          tensorType(x).getShape()));
}
