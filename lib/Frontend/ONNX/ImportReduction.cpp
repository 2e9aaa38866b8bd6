// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and means over dimensions.

#include "BroadcastOperand.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// The dimensions to sum over, from the second input; all when it is missing.
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

template <bool isMean>
static LogicalResult importSum(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  if (!x)
    return failure();
  RankedTensorType type = tensorType(x);
  Type element = type.getElementType();
  if (!isa<FloatType>(element))
    return importer.unsupported(node, "its input is not made of floats");
  auto summed = getAxes(importer, node, type.getRank());
  if (failed(summed))
    return failure();
  bool keepsDims = node.getInt("keepdims").value_or(1);

  // What is kept and what is summed over, neighbours folded, so that a loop
  // has few dimensions.
  OpBuilder &builder = importer.builder;
  Location loc = node.getLoc();
  Shape result, folded;
  SmallVector<int64_t> kept;
  SmallVector<AffineExpr> position;
  SmallVector<utils::IteratorType> loops;
  int64_t count = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isSummed = summed->test(dim);
    int64_t size = type.getDimSize(dim);
    if (isSummed)
      count *= size;
    if (!isSummed || keepsDims)
      result.push_back(isSummed ? 1 : size);
    if (dim > 0 && summed->test(dim - 1) == isSummed) {
      folded.back() *= size;
      if (!isSummed)
        kept.back() *= size;
      continue;
    }
    folded.push_back(size);
    loops.push_back(isSummed ? utils::IteratorType::reduction
                             : utils::IteratorType::parallel);
    if (!isSummed) {
      position.push_back(builder.getAffineDimExpr(folded.size() - 1));
      kept.push_back(size);
    }
  }
  if (summed->none())
    return importer.define(node, x), success();
  if (count == 0 || ShapedType::getNumElements(folded) == 0)
    return importer.unsupported(node, "its input has no elements");

  // Sums are made in float32.
  auto sumType = RankedTensorType::get(kept, builder.getF32Type());
  Value zeros = importer.splat(loc, sumType, 0.0);
  AffineMap maps[] = {
      builder.getMultiDimIdentityMap(folded.size()),
      AffineMap::get(folded.size(), 0, position, builder.getContext())};
  Value y =
      linalg::GenericOp::create(
          builder, loc, sumType, importer.reshape(loc, x, folded), zeros, maps,
          loops,
          [&](OpBuilder &inside, Location loc, ValueRange arguments) {
            Value term = arguments[0];
            if (!element.isF32())
              term =
                  arith::ExtFOp::create(inside, loc, inside.getF32Type(), term);
            Value sum = arith::AddFOp::create(inside, loc, arguments[1], term);
            linalg::YieldOp::create(inside, loc, sum);
          })
          ->getResult(0);
  if (isMean)
    y = arith::MulFOp::create(builder, loc, y,
                              importer.splat(loc, sumType, 1.0 / count));
  if (!element.isF32())
    y = arith::TruncFOp::create(builder, loc, sumType.clone(element), y);
  importer.define(node, importer.reshape(loc, y, result));
  return success();
}

void mlir::te::onnx_import::populateReductionHandlers(HandlerTable &table) {
  table["ReduceSum"] = importSum<false>;
  table["ReduceMean"] = importSum<true>;
}
