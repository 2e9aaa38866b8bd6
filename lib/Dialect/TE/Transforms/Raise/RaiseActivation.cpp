// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/LoopLabels.h"
#include "Raise/Matchers.h"
#include "Raise/Raise.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

namespace {
/// A product with its constant factors multiplied out: coefficient * ∏ factors.
/// Quotients by constants and small integer powers count as products.
struct Product {
  double coefficient = 1.0;
  SmallVector<Value, 4> factors;
};
} // namespace

/// Multiplies `value` into `product`. `whole`, which may be a product itself,
/// stays a factor. Products of models are short; deeper ones stay factors.
static void multiply(Value value, Value whole, Product &product,
                     unsigned depth = 6) {
  if (auto number = getNumber(value)) {
    product.coefficient *= *number;
    return;
  }
  if (depth > 0 && value != whole) {
    if (auto mul = value.getDefiningOp<arith::MulFOp>()) {
      multiply(mul.getLhs(), whole, product, depth - 1);
      multiply(mul.getRhs(), whole, product, depth - 1);
      return;
    }
    if (auto div = value.getDefiningOp<arith::DivFOp>())
      if (auto number = getNumber(div.getRhs()); number && *number != 0) {
        product.coefficient /= *number;
        multiply(div.getLhs(), whole, product, depth - 1);
        return;
      }
    if (auto pow = value.getDefiningOp<math::PowFOp>()) {
      auto exponent = getNumber(pow.getRhs());
      if (exponent && (*exponent == 2 || *exponent == 3)) {
        for (int i = 0; i < int(*exponent); ++i)
          multiply(pow.getLhs(), whole, product, depth - 1);
        return;
      }
    }
  }
  product.factors.push_back(value);
}

static Product getProduct(Value value, Value whole = {}) {
  Product product;
  multiply(value, whole, product);
  return product;
}

/// The factors of `value`, and those of them that are products.
static void collectFactors(Value value, llvm::SetVector<Value> &factors,
                           unsigned depth = 6) {
  Operation *op = value.getDefiningOp();
  if (depth == 0 || !isa_and_present<arith::MulFOp, arith::DivFOp>(op) ||
      (isa<arith::DivFOp>(op) && !getNumber(op->getOperand(1))))
    return;
  for (Value factor : op->getOperands())
    if (!getNumber(factor) && factors.insert(factor))
      collectFactors(factor, factors, depth - 1);
}

/// True if `value` is coefficient * x^power.
static bool isMonomial(Value value, Value x, unsigned power,
                       double coefficient) {
  Product product = getProduct(value, x);
  return product.factors.size() == power &&
         llvm::all_of(product.factors, [&](Value f) { return f == x; }) &&
         isClose(product.coefficient, coefficient);
}

/// The other summand if one of them satisfies `is`.
template <typename Fn> static Value getOtherSummand(Value value, Fn is) {
  auto sum = getSum(value);
  if (!sum)
    return {};
  if (is(sum->first))
    return sum->second;
  return is(sum->second) ? sum->first : Value();
}

/// The value v of 1 + v.
static Value getOnePlus(Value value) {
  return getOtherSummand(value, [](Value summand) {
    auto number = getNumber(summand);
    return number && *number == 1.0;
  });
}

/// The argument of an activation of this kind.
static Value getArgument(Value value, ActivationKind kind) {
  value = skipReshapes(value);
  auto op = value.getDefiningOp<ActivationOp>();
  return op && op.getKind() == kind && value == op.getY() ? op.getX() : Value();
}

static Value getTanhArgument(Value value) {
  if (auto op = value.getDefiningOp<math::TanhOp>())
    return op.getOperand();
  return getArgument(value, ActivationKind::Tanh);
}

/// True for u = sqrt(2/pi) (x + 0.044715 x^3), also with x factored out.
/// torch-mlir writes 0.797724 for sqrt(2/pi) = 0.797885 when it decomposes
/// PyTorch's gelu(approximate="tanh"): that number has no other meaning, and
/// the model was trained with the exact digits.
static bool isGeluTanhArgument(Value u, Value x) {
  constexpr double kCubic = 0.044715, kOfTorchMlir = 0.797724;
  const double kScale = std::sqrt(2.0 / M_PI);
  Product product = getProduct(u, x);
  if (!isClose(product.coefficient, kScale) &&
      std::abs(product.coefficient - kOfTorchMlir) > 1e-7)
    return false;
  if (product.factors.size() == 1) {
    Value cubic = getOtherSummand(product.factors[0],
                                  [&](Value summand) { return summand == x; });
    return cubic && isMonomial(cubic, x, 3, kCubic);
  }
  if (product.factors.size() != 2)
    return false;
  auto *at = llvm::find(product.factors, x);
  if (at == product.factors.end())
    return false;
  Value rest = product.factors[at == product.factors.begin() ? 1 : 0];
  Value quadratic = getOnePlus(rest);
  return quadratic && isMonomial(quadratic, x, 2, kCubic);
}

/// The activation x * factor * coefficient, if any.
static std::optional<ActivationKind> recognise(Value x, Value factor,
                                               double coefficient) {
  if (isClose(coefficient, 0.5)) {
    Value inner = getOnePlus(factor);
    if (!inner)
      return std::nullopt;
    if (Value u = getTanhArgument(inner); u && isGeluTanhArgument(u, x))
      return ActivationKind::GeluTanh;
    if (auto erf = inner.getDefiningOp<math::ErfOp>();
        erf && isMonomial(erf.getOperand(), x, 1, std::sqrt(0.5)))
      return ActivationKind::GeluErf;
    return std::nullopt;
  }
  if (coefficient != 1.0)
    return std::nullopt;
  if (Value s = getArgument(factor, ActivationKind::Sigmoid)) {
    if (isSameData(s, x))
      return ActivationKind::Silu;
    if (isMonomial(skipReshapes(s), x, 1, 1.702))
      return ActivationKind::QuickGelu;
  }
  return std::nullopt;
}

/// Replaces `op` by the activation of x, which has the same elements in any
/// shape, on their folded matrix.
static void replaceByActivation(PatternRewriter &rewriter, Operation *op,
                                ActivationKind kind, Value x) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Location loc = op->getLoc();
  Value folded = cast<RankedTensorType>(x.getType()).getRank() == 2
                     ? x
                     : collapseToMatrix(rewriter, loc, x);
  Value y = ActivationOp::create(rewriter, loc, kind, folded).getY();
  rewriter.replaceOp(op, reshapeTo(rewriter, loc, y, type.getShape()));
}

static bool isActivationType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() >= 2 && tensor.hasStaticShape() &&
         (tensor.getElementType().isF32() || tensor.getElementType().isBF16());
}

static LogicalResult raiseProduct(arith::MulFOp op, PatternRewriter &rewriter) {
  if (!isActivationType(op.getType()))
    return rewriter.notifyMatchFailure(op, "not a tensor of f32 or bf16");
  std::optional<ActivationKind> kind;
  Product product = getProduct(op.getResult());
  Value x;
  if (product.factors.size() == 2 && product.factors[0] == product.factors[1] &&
      product.coefficient == 1.0)
    if ((x = getArgument(product.factors[0], ActivationKind::Relu)))
      kind = ActivationKind::SquaredRelu;
  // The activation's argument may be a product, as that of a norm.
  llvm::SetVector<Value> factors;
  collectFactors(op.getResult(), factors);
  for (Value factor : factors) {
    if (kind)
      break;
    x = factor;
    product = getProduct(op.getResult(), x);
    auto *at = llvm::find(product.factors, x);
    if (product.factors.size() == 2 && at != product.factors.end())
      kind = recognise(x, product.factors[at == product.factors.begin()],
                       product.coefficient);
  }
  if (!kind)
    return rewriter.notifyMatchFailure(op, "no known activation");
  replaceByActivation(rewriter, op, *kind, x);
  return success();
}

/// 1 / (1 + exp(-x)) is the sigmoid, and x / (1 + exp(-x)) is SiLU.
static LogicalResult raiseQuotient(arith::DivFOp op,
                                   PatternRewriter &rewriter) {
  if (!isActivationType(op.getType()))
    return rewriter.notifyMatchFailure(op, "not a tensor of f32 or bf16");
  Value inner = getOnePlus(op.getRhs());
  auto exp = inner ? inner.getDefiningOp<math::ExpOp>() : math::ExpOp();
  Value x = exp ? getNegated(exp.getOperand()) : Value();
  if (!x || x.getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "not by 1 + exp(-x)");
  ActivationKind kind = ActivationKind::Silu;
  if (getNumber(op.getLhs()) == 1.0)
    kind = ActivationKind::Sigmoid;
  else if (op.getLhs() != x)
    return rewriter.notifyMatchFailure(op, "neither 1 nor x is divided");
  replaceByActivation(rewriter, op, kind, x);
  return success();
}

/// True if `maximum`, max(x, 0), is a term of softplus, max(x, 0) +
/// log1p(exp(-|x|)), or of a loss that contains it. Its slope at 0 is 1/2, from
/// max and |x|, where relu has the slope 0.
static bool isPieceOfSoftplus(arith::MaximumFOp maximum, Value x) {
  auto isLog = [&](Value value) {
    return value.getDefiningOp<math::Log1pOp>() != nullptr;
  };
  return llvm::any_of(
             x.getUsers(),
             [](Operation *user) { return isa<math::AbsFOp>(user); }) ||
         llvm::any_of(maximum->getUsers(), [&](Operation *user) {
           return isa<arith::AddFOp>(user) &&
                  llvm::any_of(user->getOperands(), isLog);
         });
}

/// max(x, 0), which is NaN where x is, is relu.
static LogicalResult raiseMaximum(arith::MaximumFOp op,
                                  PatternRewriter &rewriter) {
  if (!isActivationType(op.getType()))
    return rewriter.notifyMatchFailure(op, "not a tensor of f32 or bf16");
  bool isFirst = getNumber(op.getLhs()) == 0.0;
  if (!isFirst && getNumber(op.getRhs()) != 0.0)
    return rewriter.notifyMatchFailure(op, "not with 0");
  Value x = isFirst ? op.getRhs() : op.getLhs();
  if (isPieceOfSoftplus(op, x))
    return rewriter.notifyMatchFailure(op, "a piece of softplus");
  replaceByActivation(rewriter, op, ActivationKind::Relu, x);
  return success();
}

/// relu(x)^2 written as a power.
static LogicalResult raisePower(math::PowFOp op, PatternRewriter &rewriter) {
  Value x = getArgument(op.getLhs(), ActivationKind::Relu);
  auto exponent = getNumber(op.getRhs());
  if (!x || !exponent || *exponent != 2.0)
    return rewriter.notifyMatchFailure(op, "not the square of relu");
  replaceByActivation(rewriter, op, ActivationKind::SquaredRelu, x);
  return success();
}

void mlir::te::populateRaiseActivationPatterns(RewritePatternSet &patterns) {
  patterns.add(raiseMaximum)
      .add(raisePower)
      .add(raiseProduct)
      .add(raiseQuotient);
}
