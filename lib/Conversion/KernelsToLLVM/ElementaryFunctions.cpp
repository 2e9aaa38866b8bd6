// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementary functions of f32 where upstream's expansions lose what f32 can
// hold: exp ends where normal numbers do, sinh and cosh overflow with exp, sinh
// cancels around zero, and sin and cos subtract multiples of pi rounded to f32.

#include "ElementaryFunctions.h"

#include "te/Support/ScalarBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;

namespace {

/// Of an exp whose result is zero or a normal number.
constexpr llvm::StringLiteral kIsNormal("te.is_normal");

/// e^x = e^(x + 32) e^-32 far below zero, where x + 32 is exact: the product
/// becomes subnormal, as e^x does, before it becomes zero. A quotient of two
/// such results, as in the derivative of a root, is a number.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32() || op->hasAttr(kIsNormal))
      return rewriter.notifyMatchFailure(op, "not f32, or expanded");
    ScalarBuilder s(rewriter, op.getLoc(), rewriter.getF32Type());
    Value x = op.getOperand();
    Value isLow = s.isBelow(x, -64);
    auto exp = math::ExpOp::create(rewriter, op.getLoc(),
                                   s.select(isLow, s.add(x, s.number(32)), x));
    exp->setAttr(kIsNormal, rewriter.getUnitAttr());
    Value factor = s.select(isLow, s.number(std::exp(-32.0)), s.number(1));
    rewriter.replaceOp(op, s.mul(exp, factor));
    return success();
  }
};

/// e^|x| / 2 and e^-|x| / 2, by way of t = e^(|x|/2), which is finite wherever
/// the first of them is.
std::pair<Value, Value> getHalfExponentials(ScalarBuilder &s, Value absolute) {
  Value t = s.call<math::ExpOp>(s.mul(absolute, s.number(0.5)));
  return {s.mul(s.mul(t, s.number(0.5)), t), s.div(s.number(0.5), s.mul(t, t))};
}

struct ExpandCosh : OpRewritePattern<math::CoshOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::CoshOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    ScalarBuilder s(rewriter, op.getLoc(), rewriter.getF32Type());
    Value absolute =
        math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    auto [growing, falling] = getHalfExponentials(s, absolute);
    rewriter.replaceOp(op, s.add(growing, falling));
    return success();
  }
};

struct ExpandSinh : OpRewritePattern<math::SinhOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SinhOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    Location loc = op.getLoc();
    ScalarBuilder s(rewriter, loc, rewriter.getF32Type());
    Value x = op.getOperand();
    Value absolute = math::AbsFOp::create(rewriter, loc, x);
    auto [growing, falling] = getHalfExponentials(s, absolute);
    Value large =
        math::CopySignOp::create(rewriter, loc, s.sub(growing, falling), x);
    // The series; its next term is below 2^-25 of the first one.
    Value square = s.mul(x, x);
    Value rest =
        s.polynomial(square, {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880});
    Value small = s.add(x, s.mul(s.mul(rest, square), x));
    rewriter.replaceOp(op, s.select(s.isBelow(absolute, 1.0), small, large));
    return success();
  }
};

/// Arithmetic on i64.
class Integers {
public:
  Integers(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value number(uint64_t value) {
    return arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(builder.getI64Type(), APInt(64, value)));
  }
  template <typename Op> Value op(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  template <typename Op> Value op(Value a, uint64_t b) {
    return op<Op>(a, number(b));
  }
  Value add(Value a, Value b) { return op<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return op<arith::SubIOp>(a, b); }
  Value isNotZero(Value a) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, a,
                                 number(0));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

private:
  OpBuilder &builder;
  Location loc;
};

/// An angle as a multiple of pi/2, of which the last two bits count, and an f64
/// in [-pi/4, pi/4].
struct Angle {
  Value quadrant, rest;
};

/// In f64, for |x| below 2^24: the multiple of pi/2 nearest to x is subtracted
/// in three parts, of which the products of the first two with whole numbers up
/// to 2^20 are exact. NaN for infinities and NaN, with the quadrant 0.
Angle reduceSmall(OpBuilder &builder, Location loc, Value x) {
  ScalarBuilder s(builder, loc, builder.getF64Type());
  x = arith::ExtFOp::create(builder, loc, s.type, x);
  Value turns =
      s.call<math::RoundEvenOp>(s.mul(x, s.number(0.63661977236758134308)));
  Value bounded = s.select(s.isBelow(s.call<math::AbsFOp>(turns), 0x1p62),
                           turns, s.number(0));
  Value quadrant =
      arith::FPToSIOp::create(builder, loc, builder.getI64Type(), bounded);
  // pi/2 in parts of 33 bits.
  Value rest = x;
  for (double part : {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69})
    rest = s.sub(rest, s.mul(turns, s.number(part)));
  return {quadrant, rest};
}

/// For finite |x| from 2^24 on, after Payne and Hanek: x = m 2^e with whole m
/// and e, so that of 1/(2 pi) the first e bits give whole turns. The next 96
/// times m, modulo 2^64, are the fraction of a turn to 2^-64, more than any f32
/// comes near to a multiple of pi/2.
Angle reduceLarge(OpBuilder &builder, Location loc, Value x) {
  Integers n(builder, loc);
  Value bits = arith::ExtUIOp::create(
      builder, loc, builder.getI64Type(),
      arith::BitcastOp::create(builder, loc, builder.getI32Type(), x));
  Value mantissa = n.op<arith::OrIOp>(n.op<arith::AndIOp>(bits, (1u << 23) - 1),
                                      uint64_t(1) << 23);
  Value e = n.sub(n.op<arith::AndIOp>(n.op<arith::ShRUIOp>(bits, 23), 0xff),
                  n.number(150));
  // 256 bits of 1/(2 pi), of which those from bit e on are taken.
  Value words[] = {n.number(0x28be60db9391054a), n.number(0x7f09d5f47d4d3770),
                   n.number(0x36d8a5664f10e410), n.number(0x7f9458eaf7aef158)};
  Value isFar = n.isNotZero(n.op<arith::AndIOp>(e, 64));
  Value shift = n.op<arith::AndIOp>(e, 63);
  Value back = n.op<arith::XOrIOp>(shift, 63);
  auto bitsFrom = [&](unsigned word) {
    Value first = n.select(isFar, words[word + 1], words[word]);
    Value second = n.select(isFar, words[word + 2], words[word + 1]);
    return n.op<arith::OrIOp>(
        n.op<arith::ShLIOp>(first, shift),
        n.op<arith::ShRUIOp>(n.op<arith::ShRUIOp>(second, 1), back));
  };
  Value low = n.op<arith::ShRUIOp>(
      n.op<arith::MulIOp>(mantissa, n.op<arith::ShRUIOp>(bitsFrom(1), 32)), 32);
  Value fraction = n.add(n.op<arith::MulIOp>(mantissa, bitsFrom(0)), low);
  Value quadrant =
      n.op<arith::ShRUIOp>(n.add(fraction, n.number(uint64_t(1) << 61)), 62);
  Value rest = n.sub(fraction, n.op<arith::ShLIOp>(quadrant, 62));

  ScalarBuilder s(builder, loc, builder.getF64Type());
  Value angle = s.mul(arith::SIToFPOp::create(builder, loc, s.type, rest),
                      s.number(0x1.921fb54442d18p-62));
  Value isNegative = n.isNotZero(n.op<arith::ShRUIOp>(bits, 31));
  return {n.select(isNegative, n.sub(n.number(0), quadrant), quadrant),
          s.select(isNegative, s.neg(angle), angle)};
}

/// sin and cos of f32, computed in f64 to an absolute error below 2^-24.
template <typename Op, int quarter> struct ExpandSine : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    Location loc = op.getLoc();
    Value x = op.getOperand();
    ScalarBuilder f(rewriter, loc, rewriter.getF32Type());
    Value absolute = f.template call<math::AbsFOp>(x);
    Value isLarge = f.select(
        f.isBelow(absolute, std::numeric_limits<double>::infinity()),
        f.compare(arith::CmpFPredicate::OGE, absolute, f.number(0x1p24)),
        arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(false)));
    Angle small = reduceSmall(rewriter, loc, x);
    Angle large = reduceLarge(rewriter, loc, x);
    Integers n(rewriter, loc);
    Value quadrant = n.select(isLarge, large.quadrant, small.quadrant);
    if (quarter)
      quadrant = n.add(quadrant, n.number(quarter));
    ScalarBuilder s(rewriter, loc, rewriter.getF64Type());
    Value r = s.select(isLarge, large.rest, small.rest);
    Value square = s.mul(r, r);
    Value sine =
        s.mul(r, s.polynomial(square, {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040,
                                       1.0 / 362880, -1.0 / 39916800}));
    Value cosine = s.polynomial(square, {1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720,
                                         1.0 / 40320, -1.0 / 3628800});
    auto hasBit = [&](uint64_t bit) {
      return n.isNotZero(n.op<arith::AndIOp>(quadrant, bit));
    };
    Value y = s.select(hasBit(1), cosine, sine);
    y = s.select(hasBit(2), s.neg(y), y);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), y);
    return success();
  }
};

} // namespace

void mlir::te::populateElementaryFunctionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExp>(patterns.getContext(), /*benefit=*/2);
  patterns.add<ExpandCosh, ExpandSinh, ExpandSine<math::SinOp, 0>,
               ExpandSine<math::CosOp, 1>>(patterns.getContext());
}
