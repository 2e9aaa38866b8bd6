// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of angles and their inverses, in f64. Multiples of pi/2 are
// subtracted so that the rest is exact for every f32.

#include "Formulas.h"

using namespace mlir;
using namespace mlir::te;

/// atan(x) / x in x^2 on |x| <= 1, to 2^-36, and asin(x) / x on |x| <= 1/2, to
/// 2^-43.
static constexpr double kAtan[] = {
    0.99999999998873813,   -0.33333332951657216,  0.19999978336217084,
    -0.1428522560816021,   0.11105306732424464,   -0.090491790937205773,
    0.074952623780996963,  -0.060221963879374327, 0.043646589442816673,
    -0.026005995977608619, 0.011427633277375594,  -0.0031954252407363946,
    0.00041922786011272895};
static constexpr double kAsin[] = {
    0.99999999999994924,  0.16666666670723189,  0.074999994675315606,
    0.044643126897073437, 0.030375046838709735, 0.022472629272259408,
    0.016472738109361945, 0.018638508213446328, -0.0028563505336838965,
    0.031943996384108428};

namespace {

/// An angle as a multiple of pi/2, of which the last two bits count, and an f64
/// in [-pi/4, pi/4].
struct Angle {
  Value quadrant, rest;
};

/// In f64, for |x| below 2^24: subtracts the multiple of pi/2 nearest to x in
/// three parts; the products of the first two with integers up to 2^20 are
/// exact. NaN for infinities and NaN, with the quadrant 0.
Angle reduceSmall(OpBuilder &builder, Location loc, Value x) {
  Doubles s(builder, loc);
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

/// For finite |x| from 2^24 on, after Payne and Hanek: x = m 2^e with integers
/// m and e, so that the first e bits of 1/(2 pi) give whole turns. The next 96
/// times m, modulo 2^64, are the fraction of a turn to 2^-64, closer than any
/// f32 comes to a multiple of pi/2.
Angle reduceLarge(OpBuilder &builder, Location loc, Value x) {
  Integers n(builder, loc);
  Value bits = arith::ExtUIOp::create(
      builder, loc, builder.getI64Type(),
      arith::BitcastOp::create(builder, loc, builder.getI32Type(), x));
  Value mantissa = n.op<arith::OrIOp>(n.op<arith::AndIOp>(bits, (1u << 23) - 1),
                                      uint64_t(1) << 23);
  Value e = n.sub(n.op<arith::AndIOp>(n.op<arith::ShRUIOp>(bits, 23), 0xff),
                  n.number(150));
  // 256 bits of 1/(2 pi), of which those from bit e on are used.
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

  Doubles s(builder, loc);
  Value angle = s.mul(arith::SIToFPOp::create(builder, loc, s.type, rest),
                      s.number(0x1.921fb54442d18p-62));
  Value isNegative = n.isNotZero(n.op<arith::ShRUIOp>(bits, 31));
  return {n.select(isNegative, n.sub(n.number(0), quadrant), quadrant),
          s.select(isNegative, s.neg(angle), angle)};
}

/// Sine and cosine of the rest, and its quadrant.
struct Sines {
  Value quadrant, sine, cosine;
};

} // namespace

static Sines buildSines(Doubles &s, Value x) {
  OpBuilder &builder = s.builder;
  Location loc = s.loc;
  Floats f(builder, loc, builder.getF32Type());
  Value absolute = f.abs(x);
  Value isLarge =
      f.both(f.isBelow(absolute, kInfinity),
             f.compare(arith::CmpFPredicate::OGE, absolute, f.number(0x1p24)));
  Angle small = reduceSmall(builder, loc, x);
  Angle large = reduceLarge(builder, loc, x);
  Value quadrant = s.select(isLarge, large.quadrant, small.quadrant);
  Value r = s.select(isLarge, large.rest, small.rest);
  Value square = s.mul(r, r);
  Value sine =
      s.mul(r, s.polynomial(square, {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040,
                                     1.0 / 362880, -1.0 / 39916800}));
  Value cosine = s.polynomial(square, {1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720,
                                       1.0 / 40320, -1.0 / 3628800});
  return {quadrant, sine, cosine};
}

static Value hasBit(Doubles &s, Value quadrant, uint64_t bit) {
  return s.integers.isNotZero(s.integers.op<arith::AndIOp>(quadrant, bit));
}

/// Restores the sign of 0, which subtracting multiples of pi/2 loses.
static Value keepZero(OpBuilder &builder, Location loc, Value x, Value y) {
  Floats f(builder, loc, builder.getF32Type());
  return f.select(f.isNumber(x, 0), x, y);
}

static Value buildSine(Doubles &s, Value x, uint64_t quarter) {
  Sines sines = buildSines(s, x);
  Value quadrant = s.integers.op<arith::AddIOp>(sines.quadrant, quarter);
  Value y = s.select(hasBit(s, quadrant, 1), sines.cosine, sines.sine);
  return s.toF32(s.select(hasBit(s, quadrant, 2), s.neg(y), y));
}

static Value expandSin(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles s(builder, loc);
  return keepZero(builder, loc, operands[0], buildSine(s, operands[0], 0));
}

static Value expandCos(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles s(builder, loc);
  return buildSine(s, operands[0], 1);
}

static Value expandTan(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles s(builder, loc);
  Sines sines = buildSines(s, operands[0]);
  Value isTurned = hasBit(s, sines.quadrant, 1);
  Value y = s.div(s.select(isTurned, s.neg(sines.cosine), sines.sine),
                  s.select(isTurned, sines.sine, sines.cosine));
  return keepZero(builder, loc, operands[0], s.toF32(y));
}

/// The angle of the point (x, y), with the signs of zeros as in C99.
static Value buildAtan2(Doubles &d, Value y, Value x) {
  Value height = d.abs(y), width = d.abs(x);
  Value isSteep = d.compare(arith::CmpFPredicate::OGT, height, width);
  Value smaller = d.select(isSteep, width, height),
        larger = d.select(isSteep, height, width);
  Value slope = d.div(smaller, larger);
  slope = d.select(d.isNumber(smaller, 0), d.number(0), slope);
  slope = d.select(d.isNumber(smaller, kInfinity), d.number(1), slope);
  Value angle = d.mul(slope, d.polynomial(d.mul(slope, slope), kAtan));
  angle = d.select(isSteep, d.sub(d.number(kHalfPi), angle), angle);
  Value isLeft =
      arith::CmpIOp::create(d.builder, d.loc, arith::CmpIPredicate::slt,
                            d.toBits(x), d.integers.number(0));
  angle = d.select(isLeft, d.sub(d.number(kPi), angle), angle);
  angle = d.select(d.compare(arith::CmpFPredicate::UNO, x, y), d.number(kNaN),
                   angle);
  return d.toF32(d.copySign(angle, y));
}

static Value expandAtan2(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Doubles d(builder, loc);
  return buildAtan2(d, d.widen(operands[0]), d.widen(operands[1]));
}

static Value expandAtan(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles d(builder, loc);
  return buildAtan2(d, d.widen(operands[0]), d.number(1));
}

namespace {
/// asin |x| = angle, or pi/2 - 2 angle above 1/2.
struct HalfAngle {
  Value isLarge, angle;
};
} // namespace

static HalfAngle buildHalfAngle(Doubles &d, Value absolute) {
  Value isLarge = d.isAbove(absolute, 0.5);
  Value square = d.mul(d.sub(d.number(1), absolute), d.number(0.5));
  square = d.select(isLarge, square, d.mul(absolute, absolute));
  Value sine = d.select(isLarge, d.sqrt(square), absolute);
  return {isLarge, d.mul(sine, d.polynomial(square, kAsin))};
}

static Value expandAsin(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles d(builder, loc);
  Value x = d.widen(operands[0]);
  auto [isLarge, angle] = buildHalfAngle(d, d.abs(x));
  Value large = d.sub(d.number(kHalfPi), d.add(angle, angle));
  return d.toF32(d.copySign(d.select(isLarge, large, angle), x));
}

static Value expandAcos(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles d(builder, loc);
  Value x = d.widen(operands[0]);
  auto [isLarge, angle] = buildHalfAngle(d, d.abs(x));
  Value twice = d.add(angle, angle);
  Value large = d.select(d.isBelow(x, 0), d.sub(d.number(kPi), twice), twice);
  Value small = d.sub(d.number(kHalfPi), d.copySign(angle, x));
  return d.toF32(d.select(isLarge, large, small));
}

static LogicalResult splitSincos(math::SincosOp op, PatternRewriter &rewriter) {
  Value sine = math::SinOp::create(rewriter, op.getLoc(), op.getOperand());
  Value cosine = math::CosOp::create(rewriter, op.getLoc(), op.getOperand());
  rewriter.replaceOp(op, {sine, cosine});
  return success();
}

void mlir::te::populateTrigonometricPatterns(RewritePatternSet &patterns) {
  addFormula<math::SinOp>(patterns, expandSin);
  addFormula<math::CosOp>(patterns, expandCos);
  addFormula<math::TanOp>(patterns, expandTan);
  addFormula<math::AsinOp>(patterns, expandAsin);
  addFormula<math::AcosOp>(patterns, expandAcos);
  addFormula<math::AtanOp>(patterns, expandAtan);
  addFormula<math::Atan2Op>(patterns, expandAtan2);
  patterns.add(splitSincos);
}
