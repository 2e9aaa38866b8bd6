// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Differentiation/ScalarAdjoint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

Value mlir::te::convertScalar(OpBuilder &builder, Location loc, Value value,
                              Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

namespace {

/// The terms that one op contributes: `emit(i, adjoint of operand i)`.
class Rules {
public:
  Rules(OpBuilder &builder, Operation *op, Value g,
        function_ref<void(unsigned, Value)> emit)
      : builder(builder), loc(op->getLoc()), op(op), g(g), emit(emit) {}

  void apply();

private:
  Value number(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(g.getType(), value));
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
  template <typename Op> Value call(Value a) {
    return Op::create(builder, loc, a);
  }
  Value operand(unsigned i) { return op->getOperand(i); }
  Value result() { return op->getResult(0); }

  /// The larger operand takes the gradient; equal ones share it.
  void takeExtremum(arith::CmpFPredicate isFirst) {
    Value zero = number(0);
    Value half = mul(g, number(0.5));
    Value tie = compare(arith::CmpFPredicate::OEQ, operand(0), operand(1));
    Value first = compare(isFirst, operand(0), operand(1));
    emit(0, select(tie, half, select(first, g, zero)));
    emit(1, select(tie, half, select(first, zero, g)));
  }

  OpBuilder &builder;
  Location loc;
  Operation *op;
  Value g;
  function_ref<void(unsigned, Value)> emit;
};

} // namespace

/// Ops that are constant almost everywhere.
static bool isPiecewiseConstant(Operation *op) {
  return isa<math::CeilOp, math::FloorOp, math::RoundOp, math::RoundEvenOp,
             math::TruncOp>(op);
}

static bool hasRule(Operation *op) {
  return isPiecewiseConstant(op) ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MaxNumFOp,
             arith::MinimumFOp, arith::MinNumFOp, arith::SelectOp,
             arith::ExtFOp, arith::TruncFOp, math::AbsFOp, math::CosOp,
             math::CoshOp, math::ErfOp, math::Exp2Op, math::ExpOp,
             math::ExpM1Op, math::FmaOp, math::FPowIOp, math::LogOp,
             math::Log1pOp, math::Log2Op, math::PowFOp, math::RsqrtOp,
             math::SinOp, math::SinhOp, math::SqrtOp, math::TanhOp>(op);
}

void Rules::apply() {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](arith::AddFOp) { emit(0, g), emit(1, g); })
      .Case([&](arith::SubFOp) { emit(0, g), emit(1, neg(g)); })
      .Case([&](arith::MulFOp) {
        emit(0, mul(g, operand(1)));
        emit(1, mul(g, operand(0)));
      })
      .Case([&](arith::DivFOp) {
        Value quotient = div(g, operand(1));
        emit(0, quotient);
        emit(1, neg(mul(quotient, result())));
      })
      .Case([&](arith::NegFOp) { emit(0, neg(g)); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { takeExtremum(arith::CmpFPredicate::OGT); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { takeExtremum(arith::CmpFPredicate::OLT); })
      .Case([&](arith::SelectOp) {
        Value zero = number(0);
        emit(1, select(operand(0), g, zero));
        emit(2, select(operand(0), zero, g));
      })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) {
        emit(0, convertScalar(builder, loc, g, operand(0).getType()));
      })
      .Case([&](math::AbsFOp) {
        Value zero = number(0);
        Value below = compare(arith::CmpFPredicate::OLT, operand(0), zero);
        Value above = compare(arith::CmpFPredicate::OGT, operand(0), zero);
        emit(0, select(above, g, select(below, neg(g), zero)));
      })
      .Case([&](math::CosOp) {
        emit(0, neg(mul(g, call<math::SinOp>(operand(0)))));
      })
      .Case(
          [&](math::SinOp) { emit(0, mul(g, call<math::CosOp>(operand(0)))); })
      .Case([&](math::CoshOp) {
        emit(0, mul(g, call<math::SinhOp>(operand(0))));
      })
      .Case([&](math::SinhOp) {
        emit(0, mul(g, call<math::CoshOp>(operand(0))));
      })
      .Case([&](math::ErfOp) {
        Value bell = call<math::ExpOp>(neg(mul(operand(0), operand(0))));
        emit(0, mul(g, mul(number(2.0 / std::sqrt(M_PI)), bell)));
      })
      .Case([&](math::ExpOp) { emit(0, mul(g, result())); })
      .Case(
          [&](math::Exp2Op) { emit(0, mul(g, mul(number(M_LN2), result()))); })
      .Case([&](math::ExpM1Op) { emit(0, mul(g, add(result(), number(1)))); })
      .Case([&](math::LogOp) { emit(0, div(g, operand(0))); })
      .Case([&](math::Log1pOp) { emit(0, div(g, add(operand(0), number(1)))); })
      .Case([&](math::Log2Op) {
        emit(0, div(g, mul(operand(0), number(M_LN2))));
      })
      .Case([&](math::SqrtOp) { emit(0, div(mul(g, number(0.5)), result())); })
      .Case([&](math::RsqrtOp) {
        Value cube = mul(result(), mul(result(), result()));
        emit(0, mul(g, mul(number(-0.5), cube)));
      })
      .Case([&](math::TanhOp) {
        emit(0, mul(g, sub(number(1), mul(result(), result()))));
      })
      .Case([&](math::FmaOp) {
        emit(0, mul(g, operand(1)));
        emit(1, mul(g, operand(0)));
        emit(2, g);
      })
      .Case([&](math::PowFOp) {
        Value lower = math::PowFOp::create(builder, loc, operand(0),
                                           sub(operand(1), number(1)));
        emit(0, mul(g, mul(operand(1), lower)));
        emit(1, mul(g, mul(result(), call<math::LogOp>(operand(0)))));
      })
      .Case([&](math::FPowIOp power) {
        Type type = power.getRhs().getType();
        Value one = arith::ConstantOp::create(builder, loc,
                                              builder.getIntegerAttr(type, 1));
        Value lower = math::FPowIOp::create(
            builder, loc, power.getLhs(),
            arith::SubIOp::create(builder, loc, power.getRhs(), one));
        Value factor =
            arith::SIToFPOp::create(builder, loc, g.getType(), power.getRhs());
        emit(0, mul(g, mul(factor, lower)));
      });
}

ScalarAdjoint::ScalarAdjoint(ArrayRef<Operation *> ops, ValueRange variables)
    : ops(ops) {
  active.insert(variables.begin(), variables.end());
  for (Operation *op : ops)
    if (llvm::any_of(op->getOperands(),
                     [&](Value value) { return active.contains(value); }))
      for (Value result : op->getResults())
        if (isa<FloatType>(result.getType()))
          active.insert(result);
}

Operation *ScalarAdjoint::findUnknown() const {
  for (Operation *op : ops)
    if (llvm::any_of(op->getResults(),
                     [&](Value value) { return active.contains(value); }) &&
        !hasRule(op))
      return op;
  return nullptr;
}

void ScalarAdjoint::add(OpBuilder &builder, Location loc, Value value,
                        Value adjoint) {
  Value &sum = adjoints[value];
  sum = sum ? arith::AddFOp::create(builder, loc, sum, adjoint).getResult()
            : adjoint;
}

void ScalarAdjoint::propagate(OpBuilder &builder) {
  for (Operation *op : llvm::reverse(ops)) {
    Value g = op->getNumResults() == 1 ? lookup(op->getResult(0)) : Value();
    if (!g || !active.contains(op->getResult(0)) || isPiecewiseConstant(op))
      continue;
    Rules(builder, op, g, [&](unsigned number, Value adjoint) {
      Value operand = op->getOperand(number);
      if (active.contains(operand))
        add(builder, op->getLoc(), operand, adjoint);
    }).apply();
  }
}
