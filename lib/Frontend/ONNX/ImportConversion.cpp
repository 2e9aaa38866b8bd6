// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between element types, and tests with boolean results.

#include "TensorMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

static LogicalResult castTo(GraphImporter &importer, const Node &node,
                            Value value, Type to) {
  Value y = TensorMath(importer, node.getLoc()).convert(value, to);
  if (!y)
    return importer.unsupported(node, "it converts between types that are not "
                                      "supported");
  return importer.define(node, y);
}

static LogicalResult importCast(GraphImporter &importer, const Node &node,
                                Value value) {
  (void)node.getInt("saturate");
  (void)node.getString("round_mode");
  auto type = int32_t(node.getInt("to").value_or(0));
  Type to = getElementType(type, value.getContext());
  if (!to)
    return importer.unsupported(node, "element type " +
                                          getElementTypeName(type) +
                                          " is not supported; export in "
                                          "float32 or bfloat16");
  return castTo(importer, node, value, to);
}

static LogicalResult importCastLike(GraphImporter &importer, const Node &node,
                                    Value value) {
  (void)node.getInt("saturate");
  (void)node.getString("round_mode");
  // Only its type is used, which constants of any type have.
  if (const ConstantTensor *like = importer.getConstant(node, 1)) {
    Type to = getElementType(like->getElementType(), value.getContext());
    if (!to)
      return importer.unsupported(
          node, "element type " + getElementTypeName(like->getElementType()) +
                    " is not supported; export in float32 or bfloat16");
    return castTo(importer, node, value, to);
  }
  Value like = importer.getValue(node, 1);
  return like ? castTo(importer, node, value, tensorType(like).getElementType())
              : failure();
}

static LogicalResult importNot(GraphImporter &importer, const Node &node,
                               Value x) {
  if (!tensorType(x).getElementType().isInteger(1))
    return importer.unsupported(node, "its input is not made of truth values");
  TensorMath math(importer, node.getLoc());
  return importer.define(
      node, math.apply<arith::XOrIOp>(x, math.number(tensorType(x), 1)));
}

static LogicalResult importIsNaN(GraphImporter &importer, const Node &node,
                                 Value x) {
  return importer.define(node, TensorMath(importer, node.getLoc())
                                   .compare(arith::CmpFPredicate::UNO, x, x));
}

static LogicalResult importIsInf(GraphImporter &importer, const Node &node,
                                 Value x) {
  TensorMath math(importer, node.getLoc());
  double infinity = std::numeric_limits<double>::infinity();
  auto equals = [&](double value) {
    return math.compare(arith::CmpFPredicate::OEQ, x,
                        math.number(tensorType(x), value));
  };
  bool positive = node.getInt("detect_positive").value_or(1);
  bool negative = node.getInt("detect_negative").value_or(1);
  if (!positive && !negative)
    return importer.unsupported(node, "it detects nothing");
  Value y = equals(positive ? infinity : -infinity);
  if (positive && negative)
    y = math.apply<arith::OrIOp>(y, equals(-infinity));
  return importer.define(node, y);
}

/// -1, 0 or 1.
static LogicalResult importSign(GraphImporter &importer, const Node &node,
                                Value x) {
  TensorMath math(importer, node.getLoc());
  Value zero = math.number(tensorType(x), 0),
        one = math.number(tensorType(x), 1),
        minusOne = math.number(tensorType(x), -1);
  Value above, below;
  if (isFloat(x)) {
    above = math.compare(arith::CmpFPredicate::OGT, x, zero);
    below = math.compare(arith::CmpFPredicate::OLT, x, zero);
  } else {
    above = math.compare(arith::CmpIPredicate::sgt, x, zero);
    below = math.compare(arith::CmpIPredicate::slt, x, zero);
  }
  return importer.define(
      node, math.select(above, one, math.select(below, minusOne, zero)));
}

/// The remainder of integers by a constant number: with the divisor's sign, or
/// the dividend's with `fmod`.
static LogicalResult importMod(GraphImporter &importer, const Node &node,
                               Value x) {
  bool truncated = node.getInt("fmod").value_or(0) != 0;
  const ConstantTensor *constant = importer.getConstant(node, 1);
  auto divisor =
      constant && constant->isInt() ? constant->getSplat() : std::nullopt;
  if (isFloat(x) || tensorType(x).getElementType().isInteger(1) || !divisor ||
      *divisor <= 0)
    return importer.unsupported(
        node, "it is not of integers by one positive number that is fixed");
  TensorMath math(importer, node.getLoc());
  Value by = math.number(tensorType(x), *divisor);
  Value y = math.apply<arith::RemSIOp>(x, by);
  if (!truncated)
    y = math.select(math.compare(arith::CmpIPredicate::slt, y,
                                 math.number(tensorType(x), 0)),
                    math.apply<arith::AddIOp>(y, by), y);
  return importer.define(node, y);
}

void mlir::te::onnx_import::populateConversionHandlers(HandlerTable &table) {
  table["Cast"] = withValue(importCast);
  table["CastLike"] = withValue(importCastLike);
  table["Not"] = withValue(importNot);
  table["IsNaN"] = withFloats(importIsNaN);
  table["IsInf"] = withFloats(importIsInf);
  table["Sign"] = withValue(importSign);
  table["Mod"] = withValue(importMod);
}
