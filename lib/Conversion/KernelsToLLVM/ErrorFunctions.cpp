// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// erf in f32, as used in activations, and erfc in f64, which is small where erf
// is nearly 1.

#include "Formulas.h"

using namespace mlir;
using namespace mlir::te;

/// erf(x) / x - 1 in x^2 on |x| <= 0.92, to 2^-25.
static constexpr double kErf[] = {
    0.12837914969330616,   -0.37612492987340632,  0.11281796525968254,
    -0.026765560651571161, 0.0049912312336901489, -0.00059792580600443652};
/// log2(erfc(x)) on 0.9 <= x <= 3.95, to 2^-25.
static constexpr double kLogErfc[] = {
    0.00046625830158709683, -1.6306088619948861,     -0.91147231587746312,
    -0.15888125800260568,   0.038163839899192658,    -0.0068851677201837247,
    0.00086541459423454377, -6.7020738903348144e-05, 2.3932898324927251e-06};
/// e^(x^2) erfc(x) / u in u = 2 / (2 + x) on 0 <= x <= 10.3, to 2^-36.
static constexpr double kErfc[] = {
    0.2820949948584717,   0.28208954060657141,  0.24688055343239711,
    0.17625268683977423,  0.081240435572760708, 0.021183935472381024,
    -0.19125246502595762, 0.39888709975683155,  -1.0298774123307031,
    1.6126143427942859,   -1.4536068995923769,  0.77336123737492405,
    -0.22944354921803089, 0.029575499471078382};

static Value expandErf(OpBuilder &builder, Location loc, ValueRange operands) {
  Floats f(builder, loc, builder.getF32Type());
  Value x = operands[0], a = f.abs(x);
  // From 3.95 on, 1 - erf(x) is below half a unit in the last place of 1.
  Value bounded = f.select(f.isAbove(a, 3.95), f.number(3.95), a);
  Value small = f.fma(a, f.fusedPolynomial(f.mul(bounded, bounded), kErf), a);
  Value large = f.sub(f.number(1),
                      buildNormalExp2(f, f.fusedPolynomial(bounded, kLogErfc)));
  return f.copySign(f.select(f.isAbove(a, 0.92), large, small), x);
}

static Value expandErfc(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles d(builder, loc);
  Value x = d.widen(operands[0]);
  // e^-121 is 0 in f32.
  Value a = d.clamp(d.abs(x), 0, 11);
  Value u = d.div(d.number(2), d.add(d.number(2), a));
  Value y = d.mul(d.mul(u, d.polynomial(u, kErfc)), d.exp(d.neg(d.mul(a, a))));
  return d.toF32(d.select(d.isBelow(x, 0), d.sub(d.number(2), y), y));
}

void mlir::te::populateErrorFunctionPatterns(RewritePatternSet &patterns) {
  addFormula<math::ErfOp>(patterns, expandErf);
  addFormula<math::ErfcOp>(patterns, expandErfc);
}
