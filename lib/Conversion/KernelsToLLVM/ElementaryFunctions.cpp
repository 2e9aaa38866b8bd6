// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementary functions of f32 where upstream's expansions lose what f32 can
// hold: sinh and cosh overflow with exp, sinh cancels around zero, and sin and
// cos subtract multiples of pi rounded to f32.

#include "ElementaryFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;

namespace {

/// Arithmetic on scalars of one type.
class Scalars {
public:
  Scalars(OpBuilder &builder, Location loc, FloatType type)
      : builder(builder), loc(loc), type(type) {}

  Value number(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  }
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
  Value isBelow(Value a, double limit) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a,
                                 number(limit));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
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

/// e^|x| / 2 and e^-|x| / 2, by way of t = e^(|x|/2), which is finite wherever
/// the first of them is.
std::pair<Value, Value> getHalfExponentials(Scalars &s, Value absolute) {
  Value t =
      math::ExpOp::create(s.builder, s.loc, s.mul(absolute, s.number(0.5)));
  return {s.mul(s.mul(t, s.number(0.5)), t), s.div(s.number(0.5), s.mul(t, t))};
}

struct ExpandCosh : OpRewritePattern<math::CoshOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::CoshOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    Scalars s(rewriter, op.getLoc(), rewriter.getF32Type());
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
    Scalars s(rewriter, loc, rewriter.getF32Type());
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

/// sin and cos in f64: the multiple of pi/2 nearest to x is subtracted in three
/// parts, of which the products of the first two with whole numbers up to 2^20
/// are exact. The absolute error is below 2^-24 up to |x| = 10^8 and grows with
/// |x| beyond.
template <typename Op, int quarter> struct ExpandSine : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    Location loc = op.getLoc();
    Type f64 = rewriter.getF64Type(), i64 = rewriter.getI64Type();
    Scalars s(rewriter, loc, rewriter.getF64Type());
    auto integer = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getI64IntegerAttr(value));
    };
    Value x = arith::ExtFOp::create(rewriter, loc, f64, op.getOperand());
    Value turns = math::RoundEvenOp::create(
        rewriter, loc, s.mul(x, s.number(0.63661977236758134308)));
    // Infinities and NaN keep the quadrant 0 and become NaN below.
    Value bounded =
        s.select(s.isBelow(math::AbsFOp::create(rewriter, loc, turns), 0x1p62),
                 turns, s.number(0));
    Value quadrant = arith::FPToSIOp::create(rewriter, loc, i64, bounded);
    if (quarter)
      quadrant =
          arith::AddIOp::create(rewriter, loc, quadrant, integer(quarter));
    // pi/2 in parts of 33 bits.
    Value r = x;
    for (double part :
         {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69})
      r = s.sub(r, s.mul(turns, s.number(part)));
    Value square = s.mul(r, r);
    Value sine =
        s.mul(r, s.polynomial(square, {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040,
                                       1.0 / 362880, -1.0 / 39916800}));
    Value cosine = s.polynomial(square, {1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720,
                                         1.0 / 40320, -1.0 / 3628800});
    auto hasBit = [&](int64_t bit) -> Value {
      return arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::ne,
          arith::AndIOp::create(rewriter, loc, quadrant, integer(bit)),
          integer(0));
    };
    Value y = s.select(hasBit(1), cosine, sine);
    y = s.select(hasBit(2), arith::NegFOp::create(rewriter, loc, y), y);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), y);
    return success();
  }
};

} // namespace

void mlir::te::populateElementaryFunctionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandCosh, ExpandSinh, ExpandSine<math::SinOp, 0>,
               ExpandSine<math::CosOp, 1>>(patterns.getContext());
}
