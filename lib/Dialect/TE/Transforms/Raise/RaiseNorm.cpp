// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises decomposed norms to te.rms_norm and te.layer_norm.

#include "Raise/LoopLabels.h"
#include "Raise/Matchers.h"
#include "Raise/NormMatchers.h"
#include "Raise/Raise.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// The operand x of a norm, and the number that is added to its variance.
struct Normed {
  Value x;
  double eps;
};

/// The differences between the norms.
template <typename NormOp> struct NormTraits;

template <> struct NormTraits<RMSNormOp> {
  static std::optional<Normed> match(const ScaledRows &rows, int64_t n);
  static RMSNormOp create(OpBuilder &builder, Location loc, Value x,
                          Value gamma, Value, double eps, bool zeroCentered) {
    return RMSNormOp::create(builder, loc, x, gamma, float(eps), zeroCentered);
  }
  static Value getBeta(RMSNormOp) { return {}; }
  static bool hasNoBeta(RMSNormOp) { return true; }
};

template <> struct NormTraits<LayerNormOp> {
  static std::optional<Normed> match(const ScaledRows &rows, int64_t n);
  static LayerNormOp create(OpBuilder &builder, Location loc, Value x,
                            Value gamma, Value beta, double eps,
                            bool zeroCentered) {
    if (!beta)
      beta = repeatNumber(builder, loc,
                          cast<RankedTensorType>(gamma.getType()).getDimSize(0),
                          0.0f);
    return LayerNormOp::create(builder, loc, x, gamma, beta, float(eps),
                               zeroCentered);
  }
  static Value getBeta(LayerNormOp norm) { return norm.getBeta(); }
  static bool hasNoBeta(LayerNormOp norm) {
    return getNumber(norm.getBeta()) == 0.0;
  }
};
} // namespace

/// x * 1/sqrt(mean(x²) + eps)
std::optional<Normed> NormTraits<RMSNormOp>::match(const ScaledRows &rows,
                                                   int64_t n) {
  auto sum = getPlusEpsilon(rows.variance);
  if (!sum || !isMeanOfSquares(sum->first, rows.what, n))
    return std::nullopt;
  return Normed{rows.what, sum->second};
}

/// True if `value` is x minus the mean of its rows.
static bool isCentered(Value value, Value x, int64_t n) {
  auto sub = skipReshapesAndCasts(value).getDefiningOp<arith::SubFOp>();
  auto type = sub ? cast<RankedTensorType>(sub.getType()) : RankedTensorType();
  if (!type || !isSameData(sub.getLhs(), x))
    return false;
  Value mean = getRepeatedColumn(sub.getRhs(), type.getNumElements() / n, n);
  return mean && isMean(mean, x, n);
}

/// True if `value` is the variance of the rows of x, of which `centered` are
/// the differences from their mean: the mean of their squares, or the mean of
/// squares minus the square of the mean, which rounding may make negative.
static bool isVariance(Value value, Value x, Value centered, int64_t n) {
  if (isMeanOfSquares(value, centered, n))
    return true;
  value = skipReshapesAndCasts(value);
  if (auto max = value.getDefiningOp<arith::MaximumFOp>()) {
    if (getNumber(max.getRhs()) == 0.0)
      value = max.getLhs();
    else if (getNumber(max.getLhs()) == 0.0)
      value = max.getRhs();
  } else if (auto relu = value.getDefiningOp<ActivationOp>();
             relu && relu.getKind() == ActivationKind::Relu) {
    value = relu.getX();
  }
  auto sub = skipReshapesAndCasts(value).getDefiningOp<arith::SubFOp>();
  Value mean = sub ? getSquared(sub.getRhs()) : Value();
  return mean && isMean(mean, x, n) && isMeanOfSquares(sub.getLhs(), x, n);
}

/// (x - mean(x)) * 1/sqrt(variance(x) + eps)
std::optional<Normed> NormTraits<LayerNormOp>::match(const ScaledRows &rows,
                                                     int64_t n) {
  auto sub = skipReshapes(rows.what).getDefiningOp<arith::SubFOp>();
  auto sum = getPlusEpsilon(rows.variance);
  // Without an eps, the result for rows of equal elements depends on rounding.
  if (!sub || !sum || sum->second == 0)
    return std::nullopt;
  Value x = sub.getLhs();
  if (!isCentered(rows.what, x, n) ||
      !isVariance(sum->first, x, rows.what, n) ||
      cast<RankedTensorType>(x.getType()).getShape().back() != n)
    return std::nullopt;
  return Normed{x, sum->second};
}

namespace {
/// A quotient or a product is a norm, without a gamma if none is among the
/// factors.
template <typename NormOp, typename OpTy>
struct RaiseNorm : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  using Traits = NormTraits<NormOp>;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isNormType(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a tensor of f32 or bf16");
    auto type = cast<RankedTensorType>(op.getType());
    int64_t n = type.getShape().back();
    for (const ScaledRows &rows : getScaledRows(op)) {
      std::optional<Normed> normed = Traits::match(rows, n);
      if (!normed)
        continue;
      Location loc = op.getLoc();
      auto [gamma, zeroCentered] = getGamma(rewriter, loc, rows.row, n);
      NormOp norm = Traits::create(rewriter, loc,
                                   collapseToMatrix(rewriter, loc, normed->x),
                                   gamma, {}, normed->eps, zeroCentered);
      rewriter.replaceOp(
          op, expandFromMatrix(rewriter, loc, norm.getY(), type.getShape()));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not divided by a deviation");
  }
};

/// The norm that makes `value` for a single reader; null if there is none, or
/// if it has more operands than x and gamma.
template <typename NormOp> NormOp getOwnNorm(Value value) {
  Value source = skipReshapesAndCasts(value);
  auto norm = source.getDefiningOp<NormOp>();
  return norm && norm.getY() == source && !norm.getScale() &&
                 NormTraits<NormOp>::hasNoBeta(norm) &&
                 isReadOnlyBy(source, value)
             ? norm
             : NormOp();
}

/// Replaces `op`, which is computed from `norm`, by the norm with another gamma
/// and beta. Roundings between the two become one, after both.
template <typename NormOp>
void replaceByNorm(PatternRewriter &rewriter, Operation *op, NormOp norm,
                   Value gamma, bool zeroCentered, Value beta) {
  Location loc =
      getModulePath(norm).empty() ? op->getLoc() : Location(norm.getLoc());
  NormOp fused =
      NormTraits<NormOp>::create(rewriter, loc, norm.getX(), gamma, beta,
                                 norm.getEps().convertToFloat(), zeroCentered);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value y =
      convertElementType(rewriter, loc, fused.getY(), type.getElementType());
  rewriter.replaceOp(op, reshapeTo(rewriter, loc, y, type.getShape()));
}

/// A norm without a gamma, times a vector in every row, has that as gamma; 1 +
/// a vector is a zero-centered gamma.
template <typename NormOp>
struct AbsorbGamma : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNormType(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a matrix");
    auto type = cast<RankedTensorType>(op.getType());
    for (auto [scaled, factor] : {std::pair(op.getLhs(), op.getRhs()),
                                  std::pair(op.getRhs(), op.getLhs())}) {
      NormOp norm = getOwnNorm<NormOp>(scaled);
      if (!norm || norm.getZeroCentered() || getNumber(norm.getGamma()) != 1.0)
        continue;
      int64_t n = norm.getGamma().getType().getDimSize(0);
      Value row =
          type.getShape().back() == n ? getRepeatedRow(factor, n) : Value();
      if (!row)
        continue;
      auto [gamma, zeroCentered] = getGamma(rewriter, op.getLoc(), row, n);
      replaceByNorm(rewriter, op, norm, gamma, zeroCentered,
                    NormTraits<NormOp>::getBeta(norm));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no norm times a vector");
  }
};

/// te.layer_norm without a beta, plus a vector in every row, has that as beta.
template <typename OpTy> struct AbsorbBeta : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<Value>(op->getResult(0)).getType();
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (!isNormType(type))
      return rewriter.notifyMatchFailure(op, "not a matrix");
    for (auto [y, addend] : {std::pair(a, b), std::pair(b, a)}) {
      auto norm = getOwnNorm<LayerNormOp>(y);
      if (!norm)
        continue;
      int64_t n = norm.getGamma().getType().getDimSize(0);
      Value row = getRow(addend, n);
      if (!row || cast<RankedTensorType>(type).getShape().back() != n)
        continue;
      replaceByNorm(
          rewriter, op, norm, norm.getGamma(), norm.getZeroCentered(),
          reshapeTo(rewriter, op.getLoc(), skipReshapesAndCasts(row), {n}));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no norm plus a vector");
  }

private:
  /// te.add broadcasts a single row itself.
  static Value getRow(Value addend, int64_t n) {
    auto type = cast<RankedTensorType>(addend.getType());
    if (std::is_same_v<OpTy, AddOp> && type.getNumElements() == n)
      return addend;
    return getRepeatedRow(addend, n);
  }
};
} // namespace

void mlir::te::populateRaiseNormPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<RaiseNorm<RMSNormOp, arith::MulFOp>,
               RaiseNorm<RMSNormOp, arith::DivFOp>, AbsorbGamma<RMSNormOp>,
               AbsorbGamma<LayerNormOp>, AbsorbBeta<AddOp>,
               AbsorbBeta<arith::AddFOp>>(context);
  // Differences from the mean over their root mean square are one op, not two.
  patterns.add<RaiseNorm<LayerNormOp, arith::MulFOp>,
               RaiseNorm<LayerNormOp, arith::DivFOp>>(context, /*benefit=*/2);
}
