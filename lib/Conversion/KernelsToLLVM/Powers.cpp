// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers and roots. Special values are those of C99's pow (annex F): a power
// with the exponent 0 is 1, negative bases have powers with integer exponents.

#include "Formulas.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

/// x^n, by squaring, as a product in the type of `f`.
static Value buildProduct(Floats &f, Value x, int64_t n) {
  Value product;
  for (;; x = f.mul(x, x)) {
    if (n & 1)
      product = product ? f.mul(product, x) : x;
    n >>= 1;
    if (!n)
      return product;
  }
}

/// x^n for a small integer. Products in f64 neither overflow nor become
/// subnormal where the result in f32 does not.
static Value buildWholePower(OpBuilder &builder, Location loc, Value x,
                             int64_t n) {
  Floats f(builder, loc, builder.getF32Type());
  if (n == 0)
    return f.number(1);
  if (n == -1)
    return f.div(f.number(1), x);
  if (n >= 1 && n <= 4)
    return buildProduct(f, x, n);
  Doubles d(builder, loc);
  Value power = buildProduct(d, d.widen(x), std::abs(n));
  return d.toF32(n < 0 ? d.div(d.number(1), power) : power);
}

static constexpr int64_t kMostFactors = 32;

/// |a|^b with a sign; `isOdd`: true if b is an odd number. 1^b is 1 for every
/// b, and a^0 for every a.
static Value buildPower(Doubles &d, Value a, Value b, Value isOdd) {
  Value absolute = d.abs(a);
  // Avoids 0 times infinity.
  Value exponent =
      d.select(d.isNumber(absolute, 1), d.number(0), d.mul(b, d.log(absolute)));
  Value y = d.exp(exponent);
  Value isNegative =
      arith::CmpIOp::create(d.builder, d.loc, arith::CmpIPredicate::slt,
                            d.toBits(a), d.integers.number(0));
  y = d.select(d.both(isNegative, isOdd), d.neg(y), y);
  return d.select(d.isNumber(b, 0), d.number(1), y);
}

static Value expandPowF(OpBuilder &builder, Location loc, ValueRange operands) {
  FloatAttr constant;
  if (matchPattern(operands[1], m_Constant(&constant))) {
    double n = constant.getValueAsDouble();
    if (std::abs(n) <= kMostFactors && n == std::floor(n))
      return buildWholePower(builder, loc, operands[0], int64_t(n));
  }
  Floats f(builder, loc, builder.getF32Type());
  Doubles d(builder, loc);
  Value a = d.widen(operands[0]), b = d.widen(operands[1]);
  // Floats from 2^24 on, and infinity, are even numbers.
  Value isSmall = f.isBelow(f.abs(operands[1]), 0x1p24);
  Value small = f.select(isSmall, operands[1], f.number(0));
  Integers i(builder, loc, 32);
  Value whole = arith::FPToSIOp::create(builder, loc, i.type, small);
  Value isWhole =
      f.compare(arith::CmpFPredicate::OEQ, small,
                arith::SIToFPOp::create(builder, loc, f.type, whole));
  Value isOdd =
      f.both(isWhole, i.isNotZero(i.op<arith::AndIOp>(whole, uint64_t(1))));
  Value y = buildPower(d, a, b, isOdd);
  // Non-integer powers of negative numbers are NaN, except of -infinity; 1
  // raised to NaN is 1.
  Value hasNone = arith::XOrIOp::create(
      builder, loc, isWhole,
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
  Value isFinite = d.isAbove(a, -kInfinity);
  hasNone = d.both(hasNone, d.both(d.isBelow(a, 0), isFinite));
  y = d.select(d.either(hasNone, d.isNaN(b)), d.number(kNaN), y);
  return d.toF32(d.select(d.isNumber(a, 1), d.number(1), y));
}

static Value expandFPowI(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  APInt constant;
  if (matchPattern(operands[1], m_ConstantInt(&constant)) &&
      constant.sle(kMostFactors) && constant.sge(-kMostFactors))
    return buildWholePower(builder, loc, operands[0], constant.getSExtValue());
  Doubles d(builder, loc);
  Value n = operands[1];
  Integers i(builder, loc, n.getType().getIntOrFloatBitWidth());
  return d.toF32(buildPower(d, d.widen(operands[0]),
                            arith::SIToFPOp::create(builder, loc, d.type, n),
                            i.isNotZero(i.op<arith::AndIOp>(n, uint64_t(1)))));
}

static Value expandCbrt(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles d(builder, loc);
  Value x = d.widen(operands[0]), a = d.abs(x);
  Value y = d.exp(d.mul(d.log(a), d.number(1.0 / 3)));
  // exp does not reach 0 and infinity.
  Value isEnd = d.either(d.isNumber(a, 0), d.isNumber(a, kInfinity));
  return d.toF32(d.copySign(d.select(isEnd, a, y), x));
}

static Value expandRsqrt(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  return f.div(f.number(1), f.sqrt(operands[0]));
}

/// base^n modulo 2^width, by squaring. With a negative exponent it is the
/// integer part of 1 / base^-n, and 0 for the base 0.
static LogicalResult expandIPowI(math::IPowIOp op, PatternRewriter &rewriter) {
  auto type = dyn_cast<IntegerType>(op.getType());
  if (!type)
    return rewriter.notifyMatchFailure(op, "not a number");
  Location loc = op.getLoc();
  Integers i(rewriter, loc, type.getWidth());
  Value base = op.getLhs(), n = op.getRhs();
  Value zero = i.number(0), one = i.number(1);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto loop = scf::ForOp::create(
      rewriter, loc, index(0), index(type.getWidth()), index(1),
      ValueRange{one, base, n},
      [&](OpBuilder &builder, Location loc, Value, ValueRange carried) {
        Integers inside(builder, loc, type.getWidth());
        Value product = carried[0], square = carried[1], rest = carried[2];
        Value isFactor =
            inside.isNotZero(inside.op<arith::AndIOp>(rest, uint64_t(1)));
        Value factor = inside.select(isFactor, square, inside.number(1));
        scf::YieldOp::create(
            builder, loc,
            ValueRange{inside.op<arith::MulIOp>(product, factor),
                       inside.op<arith::MulIOp>(square, square),
                       inside.op<arith::ShRUIOp>(rest, uint64_t(1))});
      });
  // The powers of 1 and -1 are their own inverses.
  Value power = loop.getResult(0);
  Value isUnit = arith::OrIOp::create(
      rewriter, loc, i.compare(arith::CmpIPredicate::eq, base, 1),
      i.compare(arith::CmpIPredicate::eq, base, uint64_t(-1)));
  Value isNegative = i.compare(arith::CmpIPredicate::slt, n, 0);
  rewriter.replaceOp(
      op, i.select(isNegative, i.select(isUnit, power, zero), power));
  return success();
}

void mlir::te::populatePowerPatterns(RewritePatternSet &patterns) {
  addFormula<math::PowFOp>(patterns, expandPowF);
  addFormula<math::FPowIOp>(patterns, expandFPowI);
  addFormula<math::CbrtOp>(patterns, expandCbrt);
  addFormula<math::RsqrtOp>(patterns, expandRsqrt);
  patterns.add(expandIPowI);
}
