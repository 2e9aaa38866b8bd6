// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on the order or position of elements along a dimension: the largest,
// cumulative sums, those above a diagonal.

#include "TensorMath.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// The largest or smallest elements along a dimension, in order, and their
/// positions.
static LogicalResult importTopK(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  auto count = importer.getInts(node, 1);
  if (!x || failed(count))
    return failure();
  RankedTensorType type = tensorType(x);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(-1), type.getRank());
  if (failed(axis))
    return failure();
  bool largest = node.getInt("largest").value_or(1) != 0;
  (void)node.getInt("sorted");
  if (count->size() != 1 || count->front() < 1 ||
      count->front() > type.getDimSize(*axis) ||
      type.getElementType().isInteger(1))
    return importer.unsupported(node, "it takes more elements than there are");
  auto [values, positions] = TensorMath(importer, node.getLoc())
                                 .topK(x, *axis, count->front(), largest);
  importer.defineAt(node, 0, values);
  importer.defineAt(node, 1, positions);
  return success();
}

/// The first (or last) position of the largest element along a dimension.
template <bool isMax>
static LogicalResult importArgExtremum(GraphImporter &importer,
                                       const Node &node, Value x) {
  RankedTensorType type = tensorType(x);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(0), type.getRank());
  if (failed(axis))
    return failure();
  bool last = node.getInt("select_last_index").value_or(0) != 0;
  bool keepsDims = node.getInt("keepdims").value_or(1) != 0;
  TensorMath math(importer, node.getLoc());
  if (isFloat(x))
    x = math.widen(x);
  else if (type.getElementType().isInteger(1))
    x = math.convert(x, importer.builder.getI32Type());
  llvm::SmallBitVector dims(type.getRank());
  dims.set(*axis);
  Value extremum = math.broadcast(
      math.reduceAndKeep(isMax ? ReductionKind::Max : ReductionKind::Min, x,
                         dims),
      type.getShape());
  Value isExtremum = isFloat(x)
                         ? math.compare(arith::CmpFPredicate::OEQ, x, extremum)
                         : math.compare(arith::CmpIPredicate::eq, x, extremum);
  Value position = math.iota(type.getShape(), *axis);
  // An invalid position, after, or before, all others; a row of NaN has no
  // valid one.
  int64_t size = type.getDimSize(*axis);
  Value none = math.number(tensorType(position), last ? 0 : double(size - 1));
  auto kind = last ? ReductionKind::Max : ReductionKind::Min;
  position = math.select(isExtremum, position, none);
  return importer.define(node, keepsDims
                                   ? math.reduceAndKeep(kind, position, dims)
                                   : math.reduce(kind, position, dims));
}

static LogicalResult importCumSum(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  auto axes = importer.getInts(node, 1);
  if (!x || failed(axes))
    return failure();
  if (axes->size() != 1 || tensorType(x).getElementType().isInteger(1))
    return importer.unsupported(node, "its axis is not a number");
  auto axis = getAxis(importer, node, axes->front(), tensorType(x).getRank());
  if (failed(axis))
    return failure();
  return importer.define(
      node,
      TensorMath(importer, node.getLoc())
          .cumulativeSum(x, *axis, node.getInt("exclusive").value_or(0) != 0,
                         node.getInt("reverse").value_or(0) != 0));
}

FailureOr<int64_t> onnx_import::getDiagonal(GraphImporter &importer,
                                            const Node &node,
                                            ArrayRef<int64_t> shape) {
  int64_t diagonal = 0;
  if (node.hasInput(1)) {
    auto k = importer.getInts(node, 1);
    if (failed(k))
      return failure();
    if (k->size() != 1)
      return importer.unsupported(node, "its k is not a number");
    diagonal = k->front();
  }
  if (shape.size() < 2)
    return importer.unsupported(node, "its input is not a matrix");
  // Beyond these bounds the result is the same; avoids overflow.
  return std::clamp(diagonal, -shape.take_back(2)[0], shape.back());
}

/// Elements above or below a diagonal, zeros elsewhere.
static LogicalResult importTrilu(GraphImporter &importer, const Node &node,
                                 Value x) {
  RankedTensorType type = tensorType(x);
  auto diagonal = getDiagonal(importer, node, type.getShape());
  if (failed(diagonal))
    return failure();
  bool upper = node.getInt("upper").value_or(1) != 0;
  ArrayRef<int64_t> matrix = type.getShape().take_back(2);
  TensorMath math(importer, node.getLoc());
  Value mask = math.fromPosition(
      matrix, importer.builder.getI1Type(),
      [&](OpBuilder &inside, Location loc, ArrayRef<Value> at) -> Value {
        // column - row against the diagonal
        Value first = arith::ConstantIndexOp::create(inside, loc, *diagonal);
        Value row = arith::AddIOp::create(inside, loc, at[0], first);
        return arith::CmpIOp::create(inside, loc,
                                     upper ? arith::CmpIPredicate::sge
                                           : arith::CmpIPredicate::sle,
                                     at[1], row);
      });
  return importer.define(node,
                         math.select(math.broadcast(mask, type.getShape()), x,
                                     math.number(type, 0)));
}

void mlir::te::onnx_import::populateOrderHandlers(HandlerTable &table) {
  table["TopK"] = importTopK;
  table["ArgMax"] = withValue(importArgExtremum<true>);
  table["ArgMin"] = withValue(importArgExtremum<false>);
  table["CumSum"] = importCumSum;
  table["Trilu"] = withValue(importTrilu);
}
