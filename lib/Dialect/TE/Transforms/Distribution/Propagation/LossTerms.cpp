// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Propagation/LossTerms.h"

#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

/// `sum / count`, or 0 if `count` is 0, with a gradient.
static Value divide(OpBuilder &builder, Location loc, Value sum, Value count) {
  return Formula(builder, loc)
      .map("", builder.getF32Type(), {{sum, ""}, {count, ""}},
           [](Scalars &s, ValueRange x) {
             Value zero = s.number(0);
             Value isNone = s.compare(arith::CmpFPredicate::OEQ, x[1], zero);
             return s.select(isNone, zero, s.div(x[0], x[1]));
           });
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
