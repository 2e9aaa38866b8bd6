// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives are finite where the true ones are. Two rules ensure that. Values
// that do not reach the result contribute nothing, even if their own derivative
// is infinite: the unselected branch of a selection, a square that overflows
// inside a tanh. And sums 1 + exp(v) are differentiated together with the
// quotient or logarithm that uses them, since exp(v) overflows long before the
// logistic function or softplus does.

#include "Differentiation/ScalarAdjoint.h"

#include "te/Support/Captures.h"
#include "te/Support/ElementTypes.h"
#include "te/Support/ScalarBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

static bool isNumber(Value value, double number) {
  FloatAttr constant;
  return matchPattern(value, m_Constant(&constant)) &&
         constant.getValueAsDouble() == number;
}

/// The argument v of 1 + exp(v), or null.
static Value getArgumentOfOnePlusExp(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return {};
  for (auto [one, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                            std::pair(sum.getRhs(), sum.getLhs())})
    if (auto exp = other.getDefiningOp<math::ExpOp>(); exp && isNumber(one, 1))
      return exp.getOperand();
  return {};
}

/// The argument v of 1 / (1 + exp(v)), or null.
static Value getArgumentOfLogistic(Value value) {
  auto quotient = value.getDefiningOp<arith::DivFOp>();
  return quotient && isNumber(quotient.getLhs(), 1)
             ? getArgumentOfOnePlusExp(quotient.getRhs())
             : Value();
}

namespace {

/// The rules of one op: `emit(value, term of its adjoint)` for each value that
/// the op is computed from.
class Rules : ScalarBuilder {
public:
  Rules(OpBuilder &builder, Operation *op, Value g,
        function_ref<bool(Value)> isActive,
        function_ref<void(Value, Value)> emit)
      : ScalarBuilder(builder, op->getLoc(), cast<FloatType>(g.getType())),
        op(op), g(g), isActive(isActive), emitTerm(emit) {}

  void apply();

private:
  /// factor * a. An irrational factor in a narrow type has a systematic error:
  /// there the product is taken in float32.
  Value mulBy(double factor, Value a) {
    Type f32 = builder.getF32Type();
    if (type.getWidth() >= 32)
      return mul(number(factor), a);
    Value wide = arith::ConstantOp::create(builder, loc,
                                           builder.getFloatAttr(f32, factor));
    return convertScalar(builder, loc,
                         mul(wide, convertScalar(builder, loc, a, f32)), type);
  }
  Value operand(unsigned i) { return op->getOperand(i); }
  Value result() { return op->getResult(0); }
  void emit(unsigned i, Value term) { emitTerm(operand(i), term); }

  /// `value`, but zero where `factor` is zero.
  Value zeroWith(Value factor, Value value) {
    return select(compare(arith::CmpFPredicate::OEQ, factor, number(0)), factor,
                  value);
  }
  static bool isConstant(Value value) {
    return matchPattern(value, m_Constant());
  }
  /// a * derivative, which is zero where `a` is, whatever the derivative.
  Value scale(Value a, Value derivative) {
    Value product = mul(a, derivative);
    return isConstant(derivative) ? product : zeroWith(a, product);
  }
  Value divide(Value a, Value divisor) {
    Value quotient = div(a, divisor);
    return isConstant(divisor) ? quotient : zeroWith(a, quotient);
  }
  /// 1 / (1 + exp(-v)), which is 0 where exp(-v) overflows.
  Value logistic(Value v) {
    return div(number(1), add(number(1), call<math::ExpOp>(neg(v))));
  }
  /// -1 or 1
  Value sign(Value a) {
    return math::CopySignOp::create(builder, loc, number(1), a);
  }

  /// The larger operand takes the gradient; equal ones share it.
  void takeExtremum(arith::CmpFPredicate isFirst) {
    Value zero = number(0);
    Value half = mul(g, number(0.5));
    Value tie = compare(arith::CmpFPredicate::OEQ, operand(0), operand(1));
    Value first = compare(isFirst, operand(0), operand(1));
    emit(0, select(tie, half, select(first, g, zero)));
    emit(1, select(tie, half, select(first, zero, g)));
  }

  /// (1 - a)(1 + a), without the rounding of a² near 1.
  Value oneMinusSquare(Value a) {
    return mul(sub(number(1), a), add(number(1), a));
  }
  Value onePlusSquare(Value a) { return add(mul(a, a), number(1)); }
  Value root(Value a) { return call<math::SqrtOp>(a); }
  /// g f'(x), with the derivative at the operand.
  void chain(Value derivative) { emit(0, scale(g, derivative)); }
  void chainInverse(Value divisor) { emit(0, divide(g, divisor)); }

  void divideRule();
  void remainderRule();
  void clampRule();
  void angleRule();
  void logRule();
  void powerRule();

  Operation *op;
  Value g;
  function_ref<bool(Value)> isActive;
  function_ref<void(Value, Value)> emitTerm;
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
             arith::MinimumFOp, arith::MinNumFOp, arith::RemFOp,
             arith::SelectOp, arith::ExtFOp, arith::TruncFOp, math::AbsFOp,
             math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
             math::AtanOp, math::Atan2Op, math::AtanhOp, math::CbrtOp,
             math::ClampFOp, math::CopySignOp, math::CosOp, math::CoshOp,
             math::ErfOp, math::ErfcOp, math::Exp2Op, math::ExpOp,
             math::ExpM1Op, math::FmaOp, math::FPowIOp, math::LogOp,
             math::Log10Op, math::Log1pOp, math::Log2Op, math::PowFOp,
             math::RsqrtOp, math::SinOp, math::SinhOp, math::SqrtOp,
             math::TanOp, math::TanhOp>(op);
}

/// y = a/b, and y = a s with s = 1 / (1 + exp(v)), where dy/dv = -y (1 - s).
void Rules::divideRule() {
  Value quotient = divide(g, operand(1));
  emit(0, quotient);
  Value v = getArgumentOfOnePlusExp(operand(1));
  if (!v) {
    emit(1, neg(scale(quotient, result())));
  } else if (isActive(v)) {
    Value s = isNumber(operand(0), 1) ? result() : div(number(1), operand(1));
    emitTerm(v, neg(scale(g, mul(result(), sub(number(1), s)))));
  }
}

/// a - b trunc(a/b)
void Rules::remainderRule() {
  emit(0, g);
  if (isActive(operand(1)))
    emit(1, neg(mul(g, call<math::TruncOp>(div(operand(0), operand(1))))));
}

/// min(max(x, low), high): x has the gradient at the limits, too, as in PyTorch
/// and JAX; the limits have it where they are the result.
void Rules::clampRule() {
  Value x = operand(0), zero = number(0);
  Value isBelow = compare(arith::CmpFPredicate::OLT, x, operand(1));
  Value isAbove = compare(arith::CmpFPredicate::OGT, x, operand(2));
  // The upper limit is the result if the limits are swapped.
  Value isLimited = compare(arith::CmpFPredicate::OGT, operand(1), operand(2));
  Value toHigh =
      select(isAbove, g, select(isBelow, select(isLimited, g, zero), zero));
  Value toLow =
      select(isAbove, zero, select(isBelow, select(isLimited, zero, g), zero));
  emit(0, select(isAbove, zero, select(isBelow, zero, g)));
  emit(1, toLow);
  emit(2, toHigh);
}

/// The angle of (x, y) = (operand 1, operand 0): x / r² and -y / r², computed
/// from the larger coordinate, whose square may overflow where the quotient
/// does not.
void Rules::angleRule() {
  Value y = operand(0), x = operand(1);
  Value width = call<math::AbsFOp>(x), height = call<math::AbsFOp>(y);
  Value isSteep = compare(arith::CmpFPredicate::OGT, height, width);
  Value larger = select(isSteep, height, width);
  Value a = div(y, larger), b = div(x, larger);
  Value square = mul(larger, add(mul(a, a), mul(b, b)));
  emit(0, scale(g, div(b, square)));
  emit(1, neg(scale(g, div(a, square))));
}

/// log(x), log(1 + exp(v)) and log(1 / (1 + exp(v))).
void Rules::logRule() {
  if (Value v = getArgumentOfOnePlusExp(operand(0)))
    return isActive(v) ? emitTerm(v, mul(g, logistic(v))) : void();
  if (Value v = getArgumentOfLogistic(operand(0)))
    return isActive(v) ? emitTerm(v, neg(mul(g, logistic(v)))) : void();
  emit(0, divide(g, operand(0)));
}

/// y = a^b: b a^(b-1) and y log(a). A power with the exponent 0 is constant in
/// a, and a power of 0 in a nonnegative exponent, as in PyTorch.
void Rules::powerRule() {
  Value a = operand(0), b = operand(1);
  if (isActive(a)) {
    Value lower =
        math::PowFOp::create(builder, loc, a, sub(b, number(1))).getResult();
    emit(0, scale(g, isConstant(b) && !isNumber(b, 0)
                         ? mul(b, lower)
                         : zeroWith(b, mul(b, lower))));
  }
  if (isActive(b)) {
    Value slope = zeroWith(result(), mul(result(), call<math::LogOp>(a)));
    Value isConstant = arith::AndIOp::create(
        builder, loc, compare(arith::CmpFPredicate::OEQ, a, number(0)),
        compare(arith::CmpFPredicate::OGE, b, number(0)));
    emit(1, scale(g, select(isConstant, number(0), slope)));
  }
}

void Rules::apply() {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](arith::AddFOp) { emit(0, g), emit(1, g); })
      .Case([&](arith::SubFOp) { emit(0, g), emit(1, neg(g)); })
      .Case<arith::MulFOp, math::FmaOp>([&](Operation *) {
        for (unsigned i : {0, 1})
          if (isActive(operand(i)))
            emit(i, scale(g, operand(1 - i)));
        if (isa<math::FmaOp>(op))
          emit(2, g);
      })
      .Case([&](arith::DivFOp) { divideRule(); })
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
      .Case([&](math::CopySignOp) {
        emit(0, mul(g, mul(sign(operand(0)), sign(operand(1)))));
      })
      .Case([&](math::CosOp) {
        emit(0, neg(mul(g, call<math::SinOp>(operand(0)))));
      })
      .Case(
          [&](math::SinOp) { emit(0, mul(g, call<math::CosOp>(operand(0)))); })
      .Case([&](math::CoshOp) {
        emit(0, scale(g, call<math::SinhOp>(operand(0))));
      })
      .Case([&](math::SinhOp) {
        emit(0, scale(g, call<math::CoshOp>(operand(0))));
      })
      .Case([&](math::ErfOp) {
        Value bell = call<math::ExpOp>(neg(mul(operand(0), operand(0))));
        emit(0, mul(g, mulBy(2.0 / std::sqrt(M_PI), bell)));
      })
      .Case([&](math::ExpOp) { emit(0, scale(g, result())); })
      .Case([&](math::Exp2Op) { emit(0, scale(g, mulBy(M_LN2, result()))); })
      // Not the result plus 1, which is only rounding below -16.
      .Case([&](math::ExpM1Op) {
        emit(0, scale(g, call<math::ExpOp>(operand(0))));
      })
      .Case([&](math::LogOp) { logRule(); })
      .Case([&](math::Log1pOp) {
        auto exp = operand(0).getDefiningOp<math::ExpOp>();
        if (exp)
          emitTerm(exp.getOperand(), mul(g, logistic(exp.getOperand())));
        else
          emit(0, divide(g, add(operand(0), number(1))));
      })
      .Case([&](math::Log2Op) { emit(0, divide(g, mulBy(M_LN2, operand(0)))); })
      .Case(
          [&](math::SqrtOp) { emit(0, divide(mul(g, number(0.5)), result())); })
      .Case([&](math::RsqrtOp) {
        // Half the cube may be finite where the cube is not.
        Value half = mul(number(-0.5), result());
        emit(0, scale(g, mul(half, mul(result(), result()))));
      })
      .Case([&](math::TanhOp) {
        // 4 s (1 - s), s = 1 / (1 + exp(2|x|)): 1 - tanh² cancels where tanh
        // is nearly 1.
        Value a = call<math::AbsFOp>(operand(0));
        Value s = logistic(neg(add(a, a)));
        emit(0, mul(g, mul(number(4), mul(s, sub(number(1), s)))));
      })
      .Case([&](arith::RemFOp) { remainderRule(); })
      .Case([&](math::ClampFOp) { clampRule(); })
      .Case([&](math::Atan2Op) { angleRule(); })
      .Case(
          [&](math::AsinOp) { chainInverse(root(oneMinusSquare(operand(0)))); })
      .Case([&](math::AcosOp) {
        chainInverse(neg(root(oneMinusSquare(operand(0)))));
      })
      .Case([&](math::AtanOp) {
        // 1 / (1 + x²) is subnormal where x² is infinite.
        Value x = operand(0), inverse = div(number(1), x);
        Value isLarge = compare(arith::CmpFPredicate::OGT,
                                call<math::AbsFOp>(x), number(1));
        Value square = mul(inverse, inverse);
        chain(select(isLarge, div(square, add(square, number(1))),
                     div(number(1), onePlusSquare(x))));
      })
      .Case([&](math::AsinhOp) {
        Value x = call<math::AbsFOp>(operand(0));
        // The root of 1 + x² is x where x² is infinite.
        Value isLarge = compare(arith::CmpFPredicate::OGT, x, number(1e5));
        chainInverse(select(isLarge, x, root(onePlusSquare(x))));
      })
      .Case([&](math::AcoshOp) {
        Value x = operand(0);
        chainInverse(mul(root(sub(x, number(1))), root(add(x, number(1)))));
      })
      .Case([&](math::AtanhOp) { chainInverse(oneMinusSquare(operand(0))); })
      .Case([&](math::CbrtOp) {
        chainInverse(mul(number(3), mul(result(), result())));
      })
      .Case([&](math::ErfcOp) {
        Value bell = call<math::ExpOp>(neg(mul(operand(0), operand(0))));
        emit(0, neg(mul(g, mulBy(2.0 / std::sqrt(M_PI), bell))));
      })
      .Case(
          [&](math::Log10Op) { emit(0, divide(g, mulBy(M_LN10, operand(0)))); })
      .Case([&](math::TanOp) { chain(onePlusSquare(result())); })
      .Case([&](math::PowFOp) { powerRule(); })
      .Case([&](math::FPowIOp power) {
        Type type = power.getRhs().getType();
        Value one = arith::ConstantOp::create(builder, loc,
                                              builder.getIntegerAttr(type, 1));
        Value lower = math::FPowIOp::create(
            builder, loc, power.getLhs(),
            arith::SubIOp::create(builder, loc, power.getRhs(), one));
        Value factor =
            arith::SIToFPOp::create(builder, loc, g.getType(), power.getRhs());
        emit(0, scale(g, zeroWith(factor, mul(factor, lower))));
      });
}

ScalarAdjoint::ScalarAdjoint(ArrayRef<Operation *> ops, ValueRange variables)
    : ops(ops) {
  active.insert(variables.begin(), variables.end());
  for (Operation *op : ops)
    if (readsActive(op))
      for (Value result : op->getResults())
        if (isa<FloatType>(result.getType()))
          active.insert(result);
}

bool ScalarAdjoint::readsActive(Operation *op) const {
  return llvm::any_of(getReadValues(op),
                      [&](Value value) { return active.contains(value); });
}

Operation *ScalarAdjoint::findUnknown() const {
  for (Operation *op : ops)
    // Rounding to an integer is constant almost everywhere, but the bits of a
    // float depend on it.
    if (readsActive(op) &&
        (isa<arith::BitcastOp>(op) || getRoundingProblem(op) ||
         (llvm::any_of(op->getResultTypes(), llvm::IsaPred<FloatType>) &&
          !hasRule(op))))
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
    auto isActive = [&](Value value) { return active.contains(value); };
    Rules(builder, op, g, isActive, [&](Value value, Value adjoint) {
      if (isActive(value))
        add(builder, op->getLoc(), value, adjoint);
    }).apply();
  }
}
