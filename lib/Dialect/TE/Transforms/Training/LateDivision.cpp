// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Training/LateDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::te;

Value mlir::te::createFloat(OpBuilder &builder, Location loc, float value) {
  auto type = RankedTensorType::get({}, builder.getF32Type());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, value));
}

Value mlir::te::divideOrZero(OpBuilder &builder, Location loc, Value sum,
                             Value divisor) {
  Value zero = createFloat(builder, loc, 0.0f);
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       divisor, zero);
  Value quotient = arith::DivFOp::create(builder, loc, sum, divisor);
  return arith::SelectOp::create(builder, loc, isZero, zero, quotient);
}
