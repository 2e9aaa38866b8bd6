// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp and functions of it. Arguments are reduced to |r| <= log(2)/2 with e^x =
// 2^n e^r. They are computed in f32 for speed, since activations use them.

#include "Formulas.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::te;

/// Adding 1.5 2^23 to a float, or 1.5 2^52 to a double, rounds it to an
/// integer, which the low bits of the sum hold.
static constexpr double kRounder = 0x1.8p23, kWideRounder = 0x1.8p52;

/// log(2) in two floats: products of the first one with n are exact.
static constexpr double kLn2High = 0x1.62e4p-1, kLn2Low = kLn2 - kLn2High;

/// (e^r - 1 - r) / r^2 on |r| <= 0.353, to 2^-23 and 2^-40. The coefficients
/// here and in other files interpolate at Chebyshev points.
static constexpr double kExp[] = {0.5, 0.16666569628115476,
                                  0.041666545421095535, 0.0083643806932910689,
                                  0.0013927684616575004};
static constexpr double kWideExp[] = {
    0.49999999999947397,    0.16666666666661886,   0.041666666801364391,
    0.0083333333455750705,  0.0013888835003671953, 0.00019841220867549728,
    2.4870551494951162e-05, 2.7620001388305957e-06};

/// (2^r - 1) / r on |r| <= 1/2, to 2^-26.
static constexpr double kExp2[] = {
    0.69314718803520028,   0.24022650760645807,   0.055503570711525073,
    0.0096180825199904669, 0.0013390886332106698, 0.00015453182829959741};

namespace {
/// x = n log(2) + r, of f32.
struct ReducedExp {
  Value sum; ///< kRounder + n
  Value r;
};
} // namespace

static ReducedExp reduceExp(Floats &f, Value x) {
  Value sum = f.fma(x, f.number(kLog2E), f.number(kRounder));
  Value n = f.sub(sum, f.number(kRounder));
  Value r = f.fma(n, f.number(-kLn2High), x);
  return {sum, f.fma(n, f.number(-kLn2Low), r)};
}

/// e^r - 1
static Value buildSmallExpM1(Floats &f, Value r) {
  Value rest = f.fusedPolynomial(r, kExp);
  return f.fma(f.mul(rest, r), r, r);
}

/// The integer in a sum with kRounder.
static Value getWhole(Floats &f, Value sum) {
  auto bits = llvm::bit_cast<uint32_t>(static_cast<float>(kRounder));
  return f.integers.sub(f.toBits(sum), f.integers.number(bits));
}

/// 2^n of an integer, if that is normal.
static Value buildPowerOfTwo(Floats &f, Value n) {
  Integers &i = f.integers;
  return f.fromBits(i.op<arith::ShLIOp>(i.op<arith::AddIOp>(n, 127), 23));
}

/// y 2^n in two steps, only the second of which rounds: results may be
/// subnormal, or overflow.
static Value scale(Floats &f, Value y, Value n) {
  Integers &i = f.integers;
  Value half = i.op<arith::ShRSIOp>(n, 1);
  y = f.mul(y, buildPowerOfTwo(f, half));
  return f.mul(y, buildPowerOfTwo(f, i.sub(n, half)));
}

static Value buildExp(OpBuilder &builder, Location loc, Value x) {
  Floats f(builder, loc, builder.getF32Type());
  // Beyond these limits the result is 0 or infinity.
  auto [sum, r] = reduceExp(f, f.clamp(x, -104, 89));
  Value y = f.add(buildSmallExpM1(f, r), f.number(1));
  return scale(f, y, getWhole(f, sum));
}

static Value expandExp(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildExp(builder, loc, operands[0]);
}

namespace {
/// t = n + r with |r| <= 1/2.
struct Split {
  Value sum; ///< kRounder + n
  Value r;
};
} // namespace

static Split split(Floats &f, Value t) {
  Value sum = f.add(t, f.number(kRounder));
  return {sum, f.sub(t, f.sub(sum, f.number(kRounder)))};
}

/// The bits of a float times 2^n, where both are normal. The bits of kRounder
/// are shifted out of the sum.
static Value addExponent(Floats &f, Value bits, Value sum) {
  Integers &i = f.integers;
  return f.fromBits(i.add(bits, i.op<arith::ShLIOp>(f.toBits(sum), 23)));
}

Value mlir::te::buildNormalExp2(Floats &f, Value t) {
  auto [sum, r] = split(f, t);
  Value y = f.fma(r, f.fusedPolynomial(r, kExp2), f.number(1));
  return addExponent(f, f.toBits(y), sum);
}

static Value expandExp2(OpBuilder &builder, Location loc, ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  auto [sum, r] = split(f, f.clamp(operands[0], -151, 129));
  Value y = f.fma(r, f.fusedPolynomial(r, kExp2), f.number(1));
  return scale(f, y, getWhole(f, sum));
}

/// With h = (e^(-2|x|) - 1) / 2, tanh |x| = -h / (h + 1).
static Value expandTanh(OpBuilder &builder, Location loc, ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  Value x = operands[0], t = f.mul(f.abs(x), f.number(-2 * kLog2E));
  t = f.select(f.isBelow(t, -26), f.number(-26), t);
  auto [sum, r] = split(f, t);
  Value half = addExponent(f, f.toBits(f.number(0.5)), sum);
  Value h = f.fma(half, f.mul(r, f.fusedPolynomial(r, kExp2)),
                  f.sub(half, f.number(0.5)));
  return f.copySign(f.div(h, f.add(h, f.number(1))), x);
}

/// e^x - 1 = 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2)), of which no term
/// overflows before the result.
static Value expandExpM1(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  Value x = operands[0];
  auto [sum, r] = reduceExp(f, f.clamp(x, -18, 89));
  Value half = buildPowerOfTwo(
      f, f.integers.op<arith::AddIOp>(getWhole(f, sum), uint64_t(-1)));
  Value y = f.fma(half, buildSmallExpM1(f, r), f.sub(half, f.number(0.5)));
  // -0 is preserved.
  return f.select(f.isNumber(x, 0), x, f.add(y, y));
}

Value Doubles::exp(Value x) {
  x = clamp(x, -700, 700);
  Value sum = add(mul(x, number(kLog2E)), number(kWideRounder));
  Value n = sub(sum, number(kWideRounder));
  Value r = sub(x, mul(n, number(kLn2)));
  Value rest = polynomial(r, kWideExp);
  Value y = add(add(mul(mul(rest, r), r), r), number(1));
  Value exponent = integers.sub(
      toBits(sum),
      integers.number(llvm::bit_cast<uint64_t>(kWideRounder) - 1023));
  return mul(y, fromBits(integers.op<arith::ShLIOp>(exponent, 52)));
}

/// e^|x| / 2 and e^-|x| / 2, computed from t = e^(|x|/2), which is finite
/// wherever the first of them is.
static std::pair<Value, Value> buildHalfExponentials(Floats &f,
                                                     Value absolute) {
  Value t = buildExp(f.builder, f.loc, f.mul(absolute, f.number(0.5)));
  return {f.mul(f.mul(t, f.number(0.5)), t), f.div(f.number(0.5), f.mul(t, t))};
}

static Value expandSinh(OpBuilder &builder, Location loc, ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  Value x = operands[0], absolute = f.abs(x);
  auto [growing, falling] = buildHalfExponentials(f, absolute);
  Value large = f.copySign(f.sub(growing, falling), x);
  // The series; its next term is below 2^-25 of the first one.
  Value square = f.mul(x, x);
  Value rest =
      f.polynomial(square, {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880});
  Value small = f.add(x, f.mul(f.mul(rest, square), x));
  return f.select(f.isBelow(absolute, 1.0), small, large);
}

static Value expandCosh(OpBuilder &builder, Location loc, ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  auto [growing, falling] = buildHalfExponentials(f, f.abs(operands[0]));
  return f.add(growing, falling);
}

void mlir::te::populateExponentialPatterns(RewritePatternSet &patterns) {
  addFormula<math::ExpOp>(patterns, expandExp);
  addFormula<math::Exp2Op>(patterns, expandExp2);
  addFormula<math::ExpM1Op>(patterns, expandExpM1);
  addFormula<math::TanhOp>(patterns, expandTanh);
  addFormula<math::SinhOp>(patterns, expandSinh);
  addFormula<math::CoshOp>(patterns, expandCosh);
}
