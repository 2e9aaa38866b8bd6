// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// layer_norm, rms_norm and their gradients.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Builders, verifiers
//===----------------------------------------------------------------------===//

/// [n] in f32, the type of statistics and of gradients of parameters.
static RankedTensorType f32Vector(OpBuilder &builder, int64_t size) {
  return RankedTensorType::get({size}, builder.getF32Type());
}

void LayerNormOp::build(OpBuilder &builder, OperationState &state, Value x,
                        Value gamma, Value beta, float eps, bool zeroCentered) {
  RankedTensorType stats = f32Vector(builder, tensorDim(x, 0));
  build(builder, state, /*y=*/x.getType(), stats, stats, /*rowwise=*/Type(),
        /*columnwise=*/Type(), /*amax=*/Type(), x, gamma, beta,
        /*scale=*/Value(), builder.getF32FloatAttr(eps),
        unitAttr(builder, zeroCentered));
}

LogicalResult LayerNormOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShapes(*this, {{"gamma", getGamma(), {shape[1]}},
                                  {"beta", getBeta(), {shape[1]}},
                                  {"mean", getMean(), {shape[0]}},
                                  {"rstd", getRstd(), {shape[0]}},
                                  {"y", getY(), shape}})))
    return failure();
  return verifyQuantizedResults(*this, shape);
}

void RMSNormOp::build(OpBuilder &builder, OperationState &state, Value x,
                      Value gamma, float eps, bool zeroCentered) {
  build(builder, state, /*y=*/x.getType(), f32Vector(builder, tensorDim(x, 0)),
        /*rowwise=*/Type(), /*columnwise=*/Type(), /*amax=*/Type(), x, gamma,
        /*scale=*/Value(), builder.getF32FloatAttr(eps),
        unitAttr(builder, zeroCentered));
}

LogicalResult RMSNormOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShapes(*this, {{"gamma", getGamma(), {shape[1]}},
                                  {"rstd", getRstd(), {shape[0]}},
                                  {"y", getY(), shape}})))
    return failure();
  return verifyQuantizedResults(*this, shape);
}

void LayerNormGradOp::build(OpBuilder &builder, OperationState &state, Value dy,
                            Value x, Value gamma, Value mean, Value rstd,
                            bool zeroCentered) {
  // Gradients of parameters are float32, whatever those are stored in.
  RankedTensorType f32 = f32Like(gamma);
  build(builder, state, /*dx=*/x.getType(), /*dgamma=*/f32, /*dbeta=*/f32,
        /*rowwise=*/Type(), /*columnwise=*/Type(), /*amax=*/Type(),
        /*dbias=*/Type(), dy, x, gamma, mean, rstd, /*residual=*/Value(),
        /*scale=*/Value(), unitAttr(builder, zeroCentered));
}

LogicalResult LayerNormGradOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShapes(*this, {{"dy", getDy(), shape},
                                  {"gamma", getGamma(), {shape[1]}},
                                  {"dgamma", getDgamma(), {shape[1]}},
                                  {"dbeta", getDbeta(), {shape[1]}},
                                  {"mean", getMean(), {shape[0]}},
                                  {"rstd", getRstd(), {shape[0]}},
                                  {"dx", getDx(), shape},
                                  {"the residual", getResidual(), shape},
                                  {"dbias", getDbias(), {shape[1]}}})))
    return failure();
  return verifyQuantizedResults(*this, shape);
}

void RMSNormGradOp::build(OpBuilder &builder, OperationState &state, Value dy,
                          Value x, Value gamma, Value rstd, bool zeroCentered) {
  build(builder, state, /*dx=*/x.getType(), /*dgamma=*/f32Like(gamma),
        /*rowwise=*/Type(), /*columnwise=*/Type(), /*amax=*/Type(), dy, x,
        gamma, rstd, /*residual=*/Value(), /*scale=*/Value(),
        unitAttr(builder, zeroCentered));
}

LogicalResult RMSNormGradOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShapes(*this, {{"dy", getDy(), shape},
                                  {"gamma", getGamma(), {shape[1]}},
                                  {"dgamma", getDgamma(), {shape[1]}},
                                  {"rstd", getRstd(), {shape[0]}},
                                  {"dx", getDx(), shape},
                                  {"the residual", getResidual(), shape}})))
    return failure();
  return verifyQuantizedResults(*this, shape);
}

//===----------------------------------------------------------------------===//
// Parameters and gradients
//===----------------------------------------------------------------------===//

/// All operands of a norm but x are its scale or shift.
static std::optional<ParameterRole> getNormRole(unsigned operand) {
  return operand == 0 ? std::nullopt : std::optional(ParameterRole::Norm);
}

std::optional<ParameterRole> LayerNormOp::getParameterRole(unsigned operand) {
  return getNormRole(operand);
}

std::optional<ParameterRole> RMSNormOp::getParameterRole(unsigned operand) {
  return getNormRole(operand);
}

LogicalResult LayerNormOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                    const Needed &needed, Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getY(), cotangents)))
    return failure();
  auto grad = LayerNormGradOp::create(builder, getLoc(), cotangents[0], getX(),
                                      getGamma(), getMean(), getRstd(),
                                      getZeroCentered());
  Value gradients[] = {grad.getDx(), grad.getDgamma(), grad.getDbeta()};
  for (auto [i, value] : llvm::enumerate(gradients))
    if (needed[i])
      operands[i] = value;
  return success();
}

LogicalResult RMSNormOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                  const Needed &needed, Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getY(), cotangents)))
    return failure();
  auto grad = RMSNormGradOp::create(builder, getLoc(), cotangents[0], getX(),
                                    getGamma(), getRstd(), getZeroCentered());
  if (needed[0])
    operands[0] = grad.getDx();
  if (needed[1])
    operands[1] = grad.getDgamma();
  return success();
}

// What is quantized, or summed over rows, would be another value.
LogicalResult LayerNormGradOp::addToResult(unsigned result, Value addend) {
  if (result != 0 || !getDx() || getScale() || getDbias() || getResidual())
    return failure();
  getResidualMutable().assign(addend);
  return success();
}

LogicalResult RMSNormGradOp::addToResult(unsigned result, Value addend) {
  if (result != 0 || !getDx() || getScale() || getResidual())
    return failure();
  getResidualMutable().assign(addend);
  return success();
}

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

Numbers LayerNormOp::getComputeResults() { return {0}; }
Numbers LayerNormOp::getComputeOperands() { return {0}; }

Numbers RMSNormOp::getComputeResults() { return {0}; }
Numbers RMSNormOp::getComputeOperands() { return {0}; }

Numbers LayerNormGradOp::getComputeResults() { return {0}; }
Numbers LayerNormGradOp::getComputeOperands() { return {0, 1}; }
Numbers LayerNormGradOp::getConvertibleResults() {
  return getDx() ? Numbers{0, 1, 2} : Numbers{0, 1};
}
Numbers LayerNormGradOp::getWidenableResults() {
  return getConvertibleResults();
}

Numbers RMSNormGradOp::getComputeResults() { return {0}; }
Numbers RMSNormGradOp::getComputeOperands() { return {0, 1}; }
Numbers RMSNormGradOp::getConvertibleResults() {
  return getDx() ? Numbers{0, 1} : Numbers{0};
}
Numbers RMSNormGradOp::getWidenableResults() { return getConvertibleResults(); }

//===----------------------------------------------------------------------===//
// Forms in linalg
//===----------------------------------------------------------------------===//

/// gamma, or 1 + gamma.
static Value getFactor(Scalars &s, Value gamma, bool zeroCentered) {
  return zeroCentered ? s.add(s.number(1), gamma) : gamma;
}

/// The mean over the last dimension of `body` of the terms.
static Value meanOfRows(Formula &f, int64_t n, ArrayRef<Term> terms,
                        Formula::Body body) {
  Value sum = f.sum("m", terms, body);
  return f.map("m", f.builder.getF32Type(), {{sum, "m"}},
               [&](Scalars &s, ValueRange x) {
                 return s.div(x[0], s.number(double(n)));
               });
}

/// 1 / sqrt(variance + eps)
static Value reciprocalRoot(Formula &f, Value variance, const APFloat &eps) {
  return f.map("m", f.builder.getF32Type(), {{variance, "m"}},
               [&](Scalars &s, ValueRange x) {
                 Value sum = s.add(x[0], s.number(eps.convertToDouble()));
                 return s.div(s.number(1), s.call<math::SqrtOp>(sum));
               });
}

void LayerNormOp::buildLinalgForm(LinalgForm &f) {
  int64_t n = sizeOf(getX(), 1);
  bool centered = getZeroCentered();
  Value mean = meanOfRows(f, n, {{getX(), "mn"}},
                          [](Scalars &, ValueRange x) { return x[0]; });
  Value variance = meanOfRows(f, n, {{getX(), "mn"}, {mean, "m"}},
                              [](Scalars &s, ValueRange x) {
                                Value difference = s.sub(x[0], x[1]);
                                return s.mul(difference, difference);
                              });
  Value rstd = reciprocalRoot(f, variance, getEps());
  Value y =
      f.map("mn", f.builder.getF32Type(),
            {{getX(), "mn"},
             {mean, "m"},
             {rstd, "m"},
             {getGamma(), "n"},
             {getBeta(), "n"}},
            [&](Scalars &s, ValueRange x) {
              Value normal = s.mul(s.sub(x[0], x[1]), x[2]);
              return s.add(s.mul(normal, getFactor(s, x[3], centered)), x[4]);
            });
  f.set(getMean(), mean);
  f.set(getRstd(), rstd);
  f.set(getY(), y);
  f.setQuantized(*this, y);
}

void RMSNormOp::buildLinalgForm(LinalgForm &f) {
  bool centered = getZeroCentered();
  Value square =
      meanOfRows(f, sizeOf(getX(), 1), {{getX(), "mn"}},
                 [](Scalars &s, ValueRange x) { return s.mul(x[0], x[0]); });
  Value rstd = reciprocalRoot(f, square, getEps());
  Value y =
      f.map("mn", f.builder.getF32Type(),
            {{getX(), "mn"}, {rstd, "m"}, {getGamma(), "n"}},
            [&](Scalars &s, ValueRange x) {
              return s.mul(s.mul(x[0], x[1]), getFactor(s, x[2], centered));
            });
  f.set(getRstd(), rstd);
  f.set(getY(), y);
  f.setQuantized(*this, y);
}

/// dx of a norm with normalized rows `normal`, and dgamma. `centers`: the mean
/// was subtracted.
template <typename Op>
static void lowerNormGrad(Op op, LinalgForm &f, Value normal, bool centers) {
  Type f32 = f.builder.getF32Type();
  int64_t n = sizeOf(op.getX(), 1);
  bool zeroCentered = op.getZeroCentered();
  Value c = f.map("mn", f32, {{op.getDy(), "mn"}, {op.getGamma(), "n"}},
                  [&](Scalars &s, ValueRange x) {
                    return s.mul(x[0], getFactor(s, x[1], zeroCentered));
                  });
  Value along = meanOfRows(f, n, {{c, "mn"}, {normal, "mn"}}, product);
  SmallVector<Term> terms{
      {op.getRstd(), "m"}, {c, "mn"}, {normal, "mn"}, {along, "m"}};
  if (centers)
    terms.push_back({meanOfRows(f, n, {{c, "mn"}},
                                [](Scalars &, ValueRange x) { return x[0]; }),
                     "m"});
  if (op.getResidual())
    terms.push_back({op.getResidual(), "mn"});
  Value dx = f.map("mn", f32, terms, [&](Scalars &s, ValueRange x) {
    Value inner = x[1];
    if (centers)
      inner = s.sub(inner, x[4]);
    inner = s.sub(inner, s.mul(x[2], x[3]));
    Value y = s.mul(x[0], inner);
    return op.getResidual() ? s.add(y, x.back()) : y;
  });
  if (f.needs(op.getDgamma()))
    f.set(op.getDgamma(),
          f.sum("n", {{op.getDy(), "mn"}, {normal, "mn"}}, product));
  f.set(op.getDx(), dx);
  f.setQuantized(op, dx);
  if constexpr (std::is_same_v<Op, LayerNormGradOp>)
    f.setRowSum(op.getDbias(), dx);
}

void LayerNormGradOp::buildLinalgForm(LinalgForm &f) {
  Value normal = f.map(
      "mn", f.builder.getF32Type(),
      {{getX(), "mn"}, {getMean(), "m"}, {getRstd(), "m"}},
      [](Scalars &s, ValueRange x) { return s.mul(s.sub(x[0], x[1]), x[2]); });
  f.setRowSum(getDbeta(), getDy());
  lowerNormGrad(*this, f, normal, /*centers=*/true);
}

void RMSNormGradOp::buildLinalgForm(LinalgForm &f) {
  Value normal = f.map("mn", f.builder.getF32Type(),
                       {{getX(), "mn"}, {getRstd(), "m"}}, product);
  lowerNormGrad(*this, f, normal, /*centers=*/false);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Below it squares of differences may have no digits left in float32.
static constexpr double kLeastEps = 0x1p-100;

/// gamma, or 1 + gamma.
template <typename Op>
static MagnitudeRange getFactorRange(Op op, RangeInference &ranges) {
  MagnitudeRange gamma = ranges.of(op.getGamma());
  return op.getZeroCentered() ? MagnitudeRange::of(1) + gamma : gamma;
}

/// The relative error of a formula with a mean over the last dimension.
static double getRowError(Value x) {
  return MagnitudeRange::kFormula + MagnitudeRange::kFloat32 * sizeOf(x, 1);
}

/// The root of the mean of the squares of a normalized row.
static MagnitudeRange getRootOfRows(Value x) {
  return MagnitudeRange::upTo(0).inexact(getRowError(x));
}

/// The elements of normalized rows: one of n is at most sqrt(n).
static MagnitudeRange getUnitRows(Value x) {
  return getRootOfRows(x) * std::sqrt(double(sizeOf(x, 1)));
}

namespace {
/// Of what a norm divides by, and of what it divides.
struct Normalized {
  MagnitudeRange rstd, rows;
};
} // namespace

/// `centered` are x or its distances from the mean.
static Normalized normalize(Value x, MagnitudeRange centered, double eps) {
  if (!(eps >= kLeastEps))
    return {MagnitudeRange(), MagnitudeRange()};
  MagnitudeRange mean = centered.power(2).withoutLower();
  MagnitudeRange largest = (mean + MagnitudeRange::of(eps)).power(0.5);
  MagnitudeRange rstd{-largest.upper, -0.5 * std::log2(eps)};
  rstd = rstd.inexact(getRowError(x));
  return {rstd, (centered * rstd).withoutLower().meet(getUnitRows(x))};
}

void LayerNormOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange x = ranges.of(getX());
  auto [rstd, rows] = normalize(getX(), (x + x).inexact(getRowError(getX())),
                                getEps().convertToDouble());
  ranges.set(getMean(), x.sumOf(sizeOf(getX(), 1)) / double(sizeOf(getX(), 1)));
  ranges.set(getRstd(), rstd);
  setHandedOut(*this, ranges, getY(),
               (rows * getFactorRange(*this, ranges)).inexact() +
                   ranges.of(getBeta()));
}

void RMSNormOp::inferRanges(RangeInference &ranges) {
  auto [rstd, rows] =
      normalize(getX(), ranges.of(getX()), getEps().convertToDouble());
  ranges.set(getRstd(), rstd);
  setHandedOut(*this, ranges, getY(),
               (rows * getFactorRange(*this, ranges)).inexact());
}

/// Sets the ranges of dx and dgamma. `normal` are the elements of normalized
/// rows, and the root of the mean of their squares `root`.
template <typename Op>
static MagnitudeRange inferNormGrad(Op op, RangeInference &ranges,
                                    MagnitudeRange normal, MagnitudeRange root,
                                    bool centers) {
  MagnitudeRange dy = ranges.of(op.getDy());
  MagnitudeRange c = dy * getFactorRange(op, ranges);
  // The mean of products is at most the product of the roots of the means of
  // squares (Cauchy and Schwarz).
  MagnitudeRange inner = c + normal * root * c;
  if (centers)
    inner = inner + c;
  MagnitudeRange dx =
      (ranges.of(op.getRstd()) * inner).inexact(2 * getRowError(op.getX())) +
      ranges.of(op.getResidual());
  ranges.set(op.getDgamma(), (dy * normal).sumOf(getRows(op.getX())).inexact());
  setHandedOut(op, ranges, op.getDx(), dx);
  return dx;
}

void LayerNormGradOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange normal =
      (ranges.of(getX()) + ranges.of(getMean())) * ranges.of(getRstd());
  MagnitudeRange root = normal;
  auto norm = getRstd().getDefiningOp<LayerNormOp>();
  if (norm && norm.getX() == getX() && norm.getMean() == getMean()) {
    normal = getUnitRows(getX());
    root = getRootOfRows(getX());
  }
  MagnitudeRange dx =
      inferNormGrad(*this, ranges, normal, root, /*centers=*/true);
  ranges.set(getDbeta(), ranges.of(getDy()).sumOf(getRows(getDy())));
  ranges.set(getDbias(), dx.sumOf(getRows(getX())));
}

void RMSNormGradOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange normal = ranges.of(getX()) * ranges.of(getRstd());
  MagnitudeRange root = normal;
  auto norm = getRstd().getDefiningOp<RMSNormOp>();
  if (norm && norm.getX() == getX()) {
    normal = getUnitRows(getX());
    root = getRootOfRows(getX());
  }
  inferNormGrad(*this, ranges, normal, root, /*centers=*/false);
}
