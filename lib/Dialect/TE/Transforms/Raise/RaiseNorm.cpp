// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/Forms.h"
#include "Raise/Raise.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LlamaOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

/// The value v of `value` = 1/sqrt(v).
static Value getReciprocalRootArgument(Value value) {
  value = skipReshapesAndCasts(value);
  if (auto op = value.getDefiningOp<math::RsqrtOp>())
    return op.getOperand();
  if (auto op = value.getDefiningOp<math::PowFOp>())
    return getNumber(op.getRhs()) == -0.5 ? op.getLhs() : Value();
  auto div = value.getDefiningOp<arith::DivFOp>();
  if (!div || getNumber(div.getLhs()) != 1.0)
    return {};
  auto root = skipReshapesAndCasts(div.getRhs()).getDefiningOp<math::SqrtOp>();
  return root ? root.getOperand() : Value();
}

/// The value x of `value` = x².
static Value getSquared(Value value) {
  value = skipReshapesAndCasts(value);
  if (auto op = value.getDefiningOp<math::PowFOp>())
    return getNumber(op.getRhs()) == 2.0 ? op.getLhs() : Value();
  auto op = value.getDefiningOp<arith::MulFOp>();
  return op && op.getLhs() == op.getRhs() ? op.getLhs() : Value();
}

/// What `value` is a multiple of, and how many times.
static std::pair<Value, double> getMultiple(Value value) {
  value = skipReshapesAndCasts(value);
  if (auto op = value.getDefiningOp<arith::MulFOp>()) {
    if (auto number = getNumber(op.getRhs()))
      return {op.getLhs(), *number};
    if (auto number = getNumber(op.getLhs()))
      return {op.getRhs(), *number};
  }
  if (auto op = value.getDefiningOp<arith::DivFOp>())
    if (auto number = getNumber(op.getRhs()); number && *number != 0)
      return {op.getLhs(), 1.0 / *number};
  return {value, 1.0};
}

/// eps, when `value` is mean(x²) + eps over the last dimension of x, [..., n].
static std::optional<double> getEpsilon(Value value, Value x, int64_t n) {
  auto sum = getSum(skipReshapesAndCasts(value));
  if (!sum)
    return std::nullopt;
  auto [mean, constant] = *sum;
  if (getNumber(mean))
    std::swap(mean, constant);
  std::optional<double> eps = getNumber(constant);
  if (!eps || *eps < 0)
    return std::nullopt;
  auto [total, factor] = getMultiple(mean);
  Value squares = getSummedRows(total, n);
  Value squared = squares ? getSquared(squares) : Value();
  if (!squared || !isSameData(squared, x) || !isClose(factor, 1.0 / double(n)))
    return std::nullopt;
  return eps;
}

/// A vector of ones that stands for no gamma.
static bool isOnes(Value gamma) {
  auto number = getNumber(gamma);
  return number && *number == 1.0;
}

namespace {
/// x * (1/sqrt(mean(x²) + eps)), or x / sqrt(mean(x²) + eps), is te.rms_norm
/// without a gamma.
template <typename OpTy> struct RaiseRMSNorm : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || type.getRank() < 2 || !type.hasStaticShape() ||
        !(type.getElementType().isF32() || type.getElementType().isBF16()) ||
        type.getNumElements() == 0)
      return rewriter.notifyMatchFailure(op, "not a tensor of f32 or bf16");
    int64_t n = type.getShape().back(), rows = type.getNumElements() / n;
    Value x = op.getLhs(), factor = op.getRhs();
    std::optional<double> eps = match(x, factor, rows, n);
    if (!eps && std::is_same_v<OpTy, arith::MulFOp>) {
      std::swap(x, factor);
      eps = match(x, factor, rows, n);
    }
    if (!eps)
      return rewriter.notifyMatchFailure(op, "no root mean square of its rows");
    Location loc = op.getLoc();
    Value gamma = arith::ConstantOp::create(
        rewriter, loc,
        SplatElementsAttr::get(
            RankedTensorType::get({n}, rewriter.getF32Type()),
            rewriter.getF32FloatAttr(1.0f)));
    auto norm = RMSNormOp::create(
        rewriter, loc, collapseToMatrix(rewriter, loc, x), gamma, float(*eps));
    rewriter.replaceOp(
        op, expandFromMatrix(rewriter, loc, norm.getY(), type.getShape()));
    return success();
  }

private:
  static std::optional<double> match(Value x, Value factor, int64_t rows,
                                     int64_t n) {
    Value column = getRepeatedColumn(factor, rows, n);
    if (!column)
      return std::nullopt;
    if constexpr (std::is_same_v<OpTy, arith::DivFOp>) {
      auto root = skipReshapesAndCasts(column).getDefiningOp<math::SqrtOp>();
      return root ? getEpsilon(root.getOperand(), x, n) : std::nullopt;
    } else {
      Value argument = getReciprocalRootArgument(column);
      return argument ? getEpsilon(argument, x, n) : std::nullopt;
    }
  }
};

/// te.rms_norm without a gamma, times a vector in every row, has it as gamma;
/// 1 + a vector is one that is centred on zero. What is rounded between the
/// two is rounded once, behind both.
struct AbsorbGamma : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || type.getRank() < 2 || !type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "not a matrix");
    for (auto [scaled, factor] : {std::pair(op.getLhs(), op.getRhs()),
                                  std::pair(op.getRhs(), op.getLhs())}) {
      auto norm = skipReshapesAndCasts(scaled).getDefiningOp<RMSNormOp>();
      if (!norm || norm.getY() != skipReshapesAndCasts(scaled) ||
          norm.getScale() || norm.getZeroCentered() ||
          !isOnes(norm.getGamma()) || !isReadOnlyBy(norm.getY(), scaled))
        continue;
      int64_t n = norm.getGamma().getType().getDimSize(0);
      if (type.getShape().back() != n)
        continue;
      Value row = getRepeatedRow(factor, n);
      if (!row)
        continue;
      rewriter.replaceOp(op, build(rewriter, op, norm, row));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no te.rms_norm times a vector");
  }

private:
  /// Whether `y` reaches nothing but `last`, through reshapes and casts, and
  /// that has one user.
  static bool isReadOnlyBy(Value y, Value last) {
    while (true) {
      if (!last.hasOneUse())
        return false;
      if (last == y)
        return true;
      last = last.getDefiningOp()->getOperand(0);
    }
  }

  static Value build(PatternRewriter &rewriter, arith::MulFOp op,
                     RMSNormOp norm, Value row) {
    Location loc =
        getModulePath(norm).empty() ? op.getLoc() : Location(norm.getLoc());
    Value gamma = skipReshapesAndCasts(row);
    bool zeroCentered = false;
    if (auto sum = getSum(gamma)) {
      auto [a, b] = *sum;
      if (getNumber(a) == 1.0)
        std::swap(a, b);
      zeroCentered = getNumber(b) == 1.0;
      if (zeroCentered)
        gamma = skipReshapesAndCasts(a);
    }
    int64_t n = norm.getGamma().getType().getDimSize(0);
    auto gammaType = cast<RankedTensorType>(gamma.getType());
    if (gammaType.getRank() != 1) {
      // Other reshapes of [n] have one dimension that is not 1.
      gamma = collapseToVector(rewriter, loc, gamma, n);
    }
    auto fused =
        RMSNormOp::create(rewriter, loc, norm.getX(), gamma,
                          norm.getEps().convertToFloat(), zeroCentered);
    auto type = cast<RankedTensorType>(op.getType());
    Value y =
        convertElementType(rewriter, loc, fused.getY(), type.getElementType());
    return expandFromMatrix(rewriter, loc, y, type.getShape());
  }

  static Value collapseToVector(PatternRewriter &rewriter, Location loc,
                                Value value, int64_t n) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == 0)
      return tensor::ExpandShapeOp::create(rewriter, loc, type.clone({n}),
                                           value,
                                           ArrayRef<ReassociationIndices>{});
    return tensor::CollapseShapeOp::create(
        rewriter, loc, value,
        ArrayRef<ReassociationIndices>{
            llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()))});
  }
};
} // namespace

void mlir::te::populateRaiseNormPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseRMSNorm<arith::MulFOp>, RaiseRMSNorm<arith::DivFOp>,
               AbsorbGamma>(patterns.getContext());
}
