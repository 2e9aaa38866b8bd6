// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for expansions of math ops: floats, their bits, and exponential and
// logarithm in f64.

#ifndef TE_LIB_CONVERSION_KERNELSTOLLVM_FORMULAS_H
#define TE_LIB_CONVERSION_KERNELSTOLLVM_FORMULAS_H

#include "te/Support/ScalarBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>

namespace mlir::te {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kHalfPi = 1.57079632679489661923;
inline constexpr double kLn2 = 0.69314718055994530942;
inline constexpr double kLog2E = 1.44269504088896340736;

/// Arithmetic on integers of one width.
class Integers {
public:
  Integers(OpBuilder &builder, Location loc, unsigned width = 64)
      : builder(builder), loc(loc), type(builder.getIntegerType(width)) {}

  Value number(uint64_t value) {
    return arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), value,
                                           /*isSigned=*/false,
                                           /*implicitTrunc=*/true)));
  }
  template <typename Op> Value op(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  template <typename Op> Value op(Value a, uint64_t b) {
    return op<Op>(a, number(b));
  }
  Value add(Value a, Value b) { return op<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return op<arith::SubIOp>(a, b); }
  Value compare(arith::CmpIPredicate predicate, Value a, uint64_t b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, number(b));
  }
  Value isNotZero(Value a) { return compare(arith::CmpIPredicate::ne, a, 0); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  OpBuilder &builder;
  Location loc;
  Type type;
};

/// Arithmetic on f32 or f64, and on the bits of such numbers.
class Floats : public ScalarBuilder {
public:
  Floats(OpBuilder &builder, Location loc, FloatType type)
      : ScalarBuilder(builder, loc, type),
        integers(builder, loc, type.getWidth()) {}

  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  /// A polynomial with one rounding for each coefficient.
  Value fusedPolynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }
  Value abs(Value a) { return call<math::AbsFOp>(a); }
  Value sqrt(Value a) { return call<math::SqrtOp>(a); }
  Value copySign(Value a, Value sign) {
    return math::CopySignOp::create(builder, loc, a, sign);
  }
  Value isAbove(Value a, double limit) {
    return compare(arith::CmpFPredicate::OGT, a, number(limit));
  }
  Value isNumber(Value a, double value) {
    return compare(arith::CmpFPredicate::OEQ, a, number(value));
  }
  /// NaN is preserved.
  Value clamp(Value a, double low, double high) {
    a = select(isAbove(a, high), number(high), a);
    return select(isBelow(a, low), number(low), a);
  }
  Value both(Value a, Value b) { return integers.op<arith::AndIOp>(a, b); }
  Value either(Value a, Value b) { return integers.op<arith::OrIOp>(a, b); }
  Value toBits(Value a) {
    return arith::BitcastOp::create(builder, loc, integers.type, a);
  }
  Value fromBits(Value bits) {
    return arith::BitcastOp::create(builder, loc, type, bits);
  }

  Integers integers;
};

/// f64, in which a function of f32 is computed to within its last bit.
class Doubles : public Floats {
public:
  Doubles(OpBuilder &builder, Location loc)
      : Floats(builder, loc, builder.getF64Type()) {}

  Value widen(Value a) { return arith::ExtFOp::create(builder, loc, type, a); }
  Value toF32(Value a) {
    return arith::TruncFOp::create(builder, loc, builder.getF32Type(), a);
  }
  /// e^x, with a relative error of 2^-40. Arguments beyond 700, which f32 does
  /// not need, count as 700.
  Value exp(Value x);
  /// log(x), with a relative error of 2^-45, for x that is 0 or normal; -inf
  /// for 0, NaN for negative x.
  Value log(Value x);
};

/// The expansion of a math op into arithmetic.
using Formula = Value (*)(OpBuilder &builder, Location loc,
                          ValueRange operands);

/// Replaces an op whose result is f32.
struct ExpandFunction : RewritePattern {
  ExpandFunction(StringRef name, Formula formula, MLIRContext *context)
      : RewritePattern(name, /*benefit=*/1, context), formula(formula) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override;

  Formula formula;
};

template <typename Op>
void addFormula(RewritePatternSet &patterns, Formula formula) {
  patterns.add<ExpandFunction>(Op::getOperationName(), formula,
                               patterns.getContext());
}

/// 2^t in f32, for -126 <= t <= 127.
Value buildNormalExp2(Floats &f, Value t);

void populateExponentialPatterns(RewritePatternSet &patterns);
void populateLogarithmPatterns(RewritePatternSet &patterns);
void populatePowerPatterns(RewritePatternSet &patterns);
void populateTrigonometricPatterns(RewritePatternSet &patterns);
void populateErrorFunctionPatterns(RewritePatternSet &patterns);
void populateArithmeticPatterns(RewritePatternSet &patterns);

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_KERNELSTOLLVM_FORMULAS_H
