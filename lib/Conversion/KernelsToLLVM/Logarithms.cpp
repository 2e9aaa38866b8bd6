// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// log and functions of it. Arguments are reduced to sqrt(1/2) <= m < sqrt(2)
// with x = 2^e m. log, log2 and log1p are computed in f32, the others in f64.

#include "Formulas.h"

using namespace mlir;
using namespace mlir::te;

/// (log(1 + r) - r + r^2/2) / r^3 from sqrt(1/2) - 1 to sqrt(2) - 1, to 2^-25.
static constexpr double kLog[] = {
    0.33333331151125207,  -0.24999996793979783, 0.20000723094916368,
    -0.16667826501753383, 0.14248805102971376,  -0.12424865277572409,
    0.11687244631654048,  -0.11487131711864978, 0.069761514724332598};
/// 2 atanh(s) / s in s^2 with s = (m - 1) / (m + 1), to 2^-58.
static constexpr double kWideLog[] = {2.0,
                                      2 * 0.33333333333333859,
                                      2 * 0.19999999999629315,
                                      2 * 0.14285714385250533,
                                      2 * 0.111110980042311,
                                      2 * 0.090918442061569007,
                                      2 * 0.076555081947686331,
                                      2 * 0.074127207438415737};

/// `log` for positive finite x, else -inf, NaN, or infinity.
static Value withLimits(Floats &f, Value x, Value log) {
  log = f.select(f.isBelow(x, kInfinity), log, x);
  Value rest = f.select(f.isNumber(x, 0), f.number(-kInfinity), f.number(kNaN));
  return f.select(f.isAbove(x, 0), log, rest);
}

namespace {
/// log(x) = e log(2) + log(1 + r) in f32, and log(1 + r) = r + rest.
struct ReducedLog {
  Value e, r, rest;
};
} // namespace

static ReducedLog reduceLog(Floats &f, Value x, bool mayBeSubnormal = true) {
  Integers &i = f.integers;
  constexpr uint64_t kRootHalf = 0x3f3504f3, kShift = uint64_t(23) << 23;
  Value y = x, start = i.number(kRootHalf);
  if (mayBeSubnormal) {
    Value isSmall = f.isBelow(x, 0x1p-126);
    y = f.select(isSmall, f.mul(x, f.number(0x1p23)), x);
    start = i.select(isSmall, i.number(kRootHalf + kShift), start);
  }
  Value bits = i.sub(f.toBits(y), start);
  Value e = arith::SIToFPOp::create(f.builder, f.loc, f.type,
                                    i.op<arith::ShRSIOp>(bits, 23));
  Value m = f.fromBits(
      i.add(i.op<arith::AndIOp>(bits, (1u << 23) - 1), i.number(kRootHalf)));
  Value r = f.sub(m, f.number(1));
  Value rest = f.fma(f.fusedPolynomial(r, kLog), r, f.number(-0.5));
  return {e, r, f.mul(rest, f.mul(r, r))};
}

static Value buildLog(Floats &f, Value x, bool mayBeSubnormal) {
  auto [e, r, rest] = reduceLog(f, x, mayBeSubnormal);
  // log(2) in two floats: products of the first one with e are exact.
  rest = f.fma(e, f.number(kLn2 - 0x1.63p-1), rest);
  return withLimits(f, x, f.fma(e, f.number(0x1.63p-1), f.add(r, rest)));
}

static Value expandLog(OpBuilder &builder, Location loc, ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  return buildLog(f, operands[0], /*mayBeSubnormal=*/true);
}

static Value expandLog2(OpBuilder &builder, Location loc, ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  auto [e, r, rest] = reduceLog(f, operands[0]);
  // log2(e) in two floats.
  double high = static_cast<double>(static_cast<float>(kLog2E));
  rest = f.fma(rest, f.number(high), f.mul(r, f.number(kLog2E - high)));
  return withLimits(f, operands[0], f.add(e, f.fma(r, f.number(high), rest)));
}

/// log(u) x / (u - 1) with u = 1 + x: the quotient corrects the rounding of u.
static Value expandLog1p(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  Value x = operands[0], u = f.add(x, f.number(1));
  Value log = buildLog(f, u, /*mayBeSubnormal=*/false);
  Value y = f.mul(x, f.div(log, f.sub(u, f.number(1))));
  y = f.select(f.isNumber(u, 1), x, y);
  return f.select(f.isNumber(u, kInfinity), u, y);
}

Value Doubles::log(Value x) {
  // The difference between the bits of 1 and of sqrt(1/2) makes the exponent
  // that of m = 1.
  constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcd;
  Value bits =
      integers.op<arith::AddIOp>(toBits(x), 0x3ff0000000000000 - kRootHalf);
  // An exponent in the low bits of 2^52 is that exponent plus 2^52.
  Value e = sub(fromBits(integers.op<arith::OrIOp>(
                    integers.op<arith::ShRUIOp>(bits, 52), 0x4330000000000000)),
                number(0x1p52 + 1023));
  Value m = fromBits(integers.op<arith::AddIOp>(
      integers.op<arith::AndIOp>(bits, 0x000fffffffffffff), kRootHalf));
  Value s = div(sub(m, number(1)), add(m, number(1)));
  Value part = mul(s, polynomial(mul(s, s), kWideLog));
  return withLimits(*this, x, add(mul(e, number(kLn2)), part));
}

static Value expandLog10(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Doubles d(builder, loc);
  return d.toF32(
      d.mul(d.log(d.widen(operands[0])), d.number(0.43429448190325182765)));
}

/// An odd function, of which the first terms are used below 2^-7.
static Value finishOdd(Doubles &d, Value x, Value absolute, Value y,
                       ArrayRef<double> series) {
  Value small =
      d.mul(absolute, d.polynomial(d.mul(absolute, absolute), series));
  return d.toF32(
      d.copySign(d.select(d.isBelow(absolute, 0x1p-7), small, y), x));
}

static Value expandAsinh(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Doubles d(builder, loc);
  Value x = d.widen(operands[0]), a = d.abs(x);
  Value y = d.log(d.add(a, d.sqrt(d.add(d.mul(a, a), d.number(1)))));
  return finishOdd(d, x, a, y, {1.0, -1.0 / 6, 3.0 / 40});
}

static Value expandAcosh(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Doubles d(builder, loc);
  Value x = d.widen(operands[0]);
  Value y = d.log(d.add(x, d.sqrt(d.sub(d.mul(x, x), d.number(1)))));
  return d.toF32(d.select(d.isBelow(x, 1), d.number(kNaN), y));
}

static Value expandAtanh(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Doubles d(builder, loc);
  Value x = d.widen(operands[0]), a = d.abs(x), one = d.number(1);
  Value y = d.mul(d.log(d.div(d.add(one, a), d.sub(one, a))), d.number(0.5));
  return finishOdd(d, x, a, y, {1.0, 1.0 / 3, 1.0 / 5});
}

void mlir::te::populateLogarithmPatterns(RewritePatternSet &patterns) {
  addFormula<math::LogOp>(patterns, expandLog);
  addFormula<math::Log2Op>(patterns, expandLog2);
  addFormula<math::Log10Op>(patterns, expandLog10);
  addFormula<math::Log1pOp>(patterns, expandLog1p);
  addFormula<math::AsinhOp>(patterns, expandAsinh);
  addFormula<math::AcoshOp>(patterns, expandAcosh);
  addFormula<math::AtanhOp>(patterns, expandAtanh);
}
