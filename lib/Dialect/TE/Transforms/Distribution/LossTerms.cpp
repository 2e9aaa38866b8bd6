// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/LossTerms.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

/// `sum / count`, or 0 if `count` is 0, with a gradient.
static Value divide(OpBuilder &builder, Location loc, Value sum, Value count) {
  RankedTensorType type = tensorType(sum);
  Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(),
                                        type.getElementType());
  AffineMap scalar = AffineMap::get(0, 0, builder.getContext());
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{sum, count}, ValueRange(empty),
             {scalar, scalar, scalar}, ArrayRef<utils::IteratorType>(),
             [](OpBuilder &inside, Location loc, ValueRange arguments) {
               Value zero = arith::ConstantOp::create(
                   inside, loc, inside.getF32FloatAttr(0));
               Value isNone = arith::CmpFOp::create(
                   inside, loc, arith::CmpFPredicate::OEQ, arguments[1], zero);
               Value quotient = arith::DivFOp::create(inside, loc, arguments[0],
                                                      arguments[1]);
               Value mean =
                   arith::SelectOp::create(inside, loc, isNone, zero, quotient);
               linalg::YieldOp::create(inside, loc, mean);
             })
      ->getResult(0);
}

void mlir::te::divideApart(CrossEntropyOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  int64_t classes = tensorType(op.getLogits()).getDimSize(1);
  Value count = CountLabelsOp::create(
      builder, loc, op.getCount().getType(), op.getLabels(),
      static_cast<uint64_t>(classes), op.getIgnoreIndex());
  op.getCount().replaceAllUsesWith(count);
  if (op.getReduction() != Reduction::Mean)
    return;
  op.setReduction(Reduction::Sum);
  builder.setInsertionPointAfter(op);
  Value mean = divide(builder, loc, op.getLoss(), count);
  op.getLoss().replaceAllUsesExcept(mean, mean.getDefiningOp());
}

void mlir::te::divideApart(SquaredErrorOp op) {
  if (op.getReduction() != Reduction::Mean)
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto type = cast<RankedTensorType>(op.getLoss().getType());
  Value count = arith::ConstantOp::create(
      builder, op.getLoc(),
      DenseElementsAttr::get(type,
                             float(tensorType(op.getX()).getNumElements())));
  op.setReduction(Reduction::Sum);
  Value mean = divide(builder, op.getLoc(), op.getLoss(), count);
  op.getLoss().replaceAllUsesExcept(mean, mean.getDefiningOp());
}
