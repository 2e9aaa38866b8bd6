// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on floats, written as formulas.

#ifndef TE_SUPPORT_SCALARBUILDER_H
#define TE_SUPPORT_SCALARBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::te {

/// `value` in another float type, or itself.
inline Value convertScalar(OpBuilder &builder, Location loc, Value value,
                           Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

/// Builds ops on values of one floating-point type.
class ScalarBuilder {
public:
  ScalarBuilder(OpBuilder &builder, Location loc, FloatType type)
      : builder(builder), loc(loc), type(type) {}

  Value number(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  }
  Value neg(Value a) { return arith::NegFOp::create(builder, loc, a); }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value isNaN(Value a) { return compare(arith::CmpFPredicate::UNO, a, a); }
  /// False for NaN.
  Value isBelow(Value a, double limit) {
    return compare(arith::CmpFPredicate::OLT, a, number(limit));
  }
  /// An op of one operand.
  template <typename Op> Value call(Value a) {
    return Op::create(builder, loc, a);
  }
  /// coefficients[0] + coefficients[1] x + ...
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = add(mul(sum, x), number(coefficient));
    return sum;
  }

  OpBuilder &builder;
  Location loc;
  FloatType type;
};

} // namespace mlir::te

#endif // TE_SUPPORT_SCALARBUILDER_H
