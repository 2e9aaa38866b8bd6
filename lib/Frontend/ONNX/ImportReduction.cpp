// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, means, extrema and softmax over dimensions.

#include "TensorMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// The dimensions to sum over, from the second input; all if it is missing.
static FailureOr<llvm::SmallBitVector> getAxes(GraphImporter &importer,
                                               const Node &node, int64_t rank) {
  SmallVector<int64_t> axes;
  if (node.getNumInputs() > 1 && node.hasInput(1)) {
    auto given = importer.getInts(node, 1);
    if (failed(given))
      return failure();
    axes = *given;
  } else if (auto given = node.getInts("axes")) {
    // Before opset 18.
    axes = *given;
  }
  bool emptyIsNone = node.getInt("noop_with_empty_axes").value_or(0);
  llvm::SmallBitVector summed(rank);
  if (axes.empty() && !emptyIsNone)
    summed.set();
  for (int64_t axis : axes) {
    if (axis < -rank || axis >= rank)
      return importer.unsupported(node, "its axis " + Twine(axis) +
                                            " is not one of its input's");
    summed.set(axis < 0 ? axis + rank : axis);
  }
  return summed;
}

namespace {
/// A reduction with its functions of the elements before and of the result
/// after.
enum class Reduced {
  Sum,
  Mean,
  SumOfSquares,
  L2,
  L1,
  LogSumExp,
  Max,
  Min,
  Product
};
} // namespace

static Value build(TensorMath &math, Reduced what, Value x,
                   const llvm::SmallBitVector &dims) {
  auto sum = [&](Value terms) {
    return math.reduceAndKeep(ReductionKind::Sum, terms, dims);
  };
  switch (what) {
  case Reduced::Sum:
    return sum(x);
  case Reduced::Mean: {
    int64_t count = 1;
    for (unsigned dim : dims.set_bits())
      count *= tensorType(x).getDimSize(dim);
    Value y = sum(x);
    if (isFloat(x))
      return math.apply<arith::MulFOp>(y,
                                       math.number(tensorType(y), 1.0 / count));
    // The sum wraps around before it is divided, and the quotient is truncated.
    if (uint64_t most = getMostUnsigned(tensorType(y).getElementType()))
      y = math.apply<arith::AndIOp>(y, math.number(tensorType(y), most));
    y = math.convert(y, IntegerType::get(y.getContext(), 64));
    return math.apply<arith::DivSIOp>(y, math.number(tensorType(y), count));
  }
  case Reduced::SumOfSquares:
    x = math.widen(x);
    return sum(math.apply<arith::MulFOp>(x, x));
  case Reduced::L2:
    x = math.widen(x);
    return math.apply<math::SqrtOp>(sum(math.apply<arith::MulFOp>(x, x)));
  case Reduced::L1:
    return sum(math.apply<math::AbsFOp>(math.widen(x)));
  case Reduced::LogSumExp: {
    x = math.widen(x);
    Value max = math.reduceAndKeep(ReductionKind::Max, x, dims);
    Value e = math.apply<math::ExpOp>(math.apply<arith::SubFOp>(
        x, math.broadcast(max, tensorType(x).getShape())));
    return math.apply<arith::AddFOp>(math.apply<math::LogOp>(sum(e)), max);
  }
  case Reduced::Max:
    return math.reduceAndKeep(ReductionKind::Max, x, dims);
  case Reduced::Min:
    return math.reduceAndKeep(ReductionKind::Min, x, dims);
  case Reduced::Product:
    return math.reduceAndKeep(ReductionKind::Product, x, dims);
  }
  llvm_unreachable("all kinds are handled");
}

template <Reduced what>
static LogicalResult importReduce(GraphImporter &importer, const Node &node,
                                  Value x) {
  RankedTensorType type = tensorType(x);
  constexpr bool takesIntegers =
      what == Reduced::Sum || what == Reduced::Mean || what == Reduced::Max ||
      what == Reduced::Min || what == Reduced::Product;
  Type element = type.getElementType();
  if (!isFloat(x) && (!takesIntegers || element.isInteger(1)))
    return importer.unsupported(node, "its input is not made of floats");
  auto dims = getAxes(importer, node, type.getRank());
  if (failed(dims))
    return failure();
  bool keepsDims = node.getInt("keepdims").value_or(1);
  if (type.getNumElements() == 0)
    return importer.unsupported(node, "its input has no elements");
  // Reduces no dimensions, but still applies the elementwise functions.
  TensorMath math(importer, node.getLoc());
  Value y = math.convert(build(math, what, x, *dims), element);
  if (!keepsDims) {
    SmallVector<int64_t> shape;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!dims->test(dim))
        shape.push_back(type.getDimSize(dim));
    y = math.reshape(y, shape);
  }
  return importer.define(node, y);
}

LogicalResult onnx_import::importProduct(GraphImporter &importer,
                                         const Node &node) {
  return withValue(importReduce<Reduced::Product>)(importer, node);
}

template <bool isLog>
static LogicalResult importSoftmax(GraphImporter &importer, const Node &node,
                                   Value x) {
  auto axis = getAxis(importer, node, node.getInt("axis").value_or(-1),
                      tensorType(x).getRank());
  if (failed(axis))
    return failure();
  TensorMath math(importer, node.getLoc());
  Value y = isLog ? math.logSoftmax(x, *axis) : math.softmax(x, *axis);
  return importer.define(node, math.convert(y, tensorType(x).getElementType()));
}

void mlir::te::onnx_import::populateReductionHandlers(HandlerTable &table) {
  table["ReduceSum"] = withValue(importReduce<Reduced::Sum>);
  table["ReduceMean"] = withValue(importReduce<Reduced::Mean>);
  table["ReduceSumSquare"] = withValue(importReduce<Reduced::SumOfSquares>);
  table["ReduceL1"] = withValue(importReduce<Reduced::L1>);
  table["ReduceL2"] = withValue(importReduce<Reduced::L2>);
  table["ReduceLogSumExp"] = withValue(importReduce<Reduced::LogSumExp>);
  table["ReduceMax"] = withValue(importReduce<Reduced::Max>);
  table["ReduceMin"] = withValue(importReduce<Reduced::Min>);
  table["Softmax"] = withFloats(importSoftmax<false>);
  table["LogSoftmax"] = withFloats(importSoftmax<true>);
}
