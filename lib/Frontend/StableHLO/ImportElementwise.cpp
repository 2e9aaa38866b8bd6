// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations on one or two operands.

#include "Evaluation.h"
#include "ModuleImporter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

static bool hasFloats(const HloOp &op) {
  return isa<FloatType>(
      cast<RankedTensorType>(op->getOperand(0).getType()).getElementType());
}
static bool hasTruths(const HloOp &op) {
  return cast<RankedTensorType>(op->getOperand(0).getType())
      .getElementType()
      .isInteger(1);
}

/// True if all operands have the result's type, and there are `count`.
static bool hasOperands(const HloOp &op, unsigned count) {
  return op->getNumOperands() == count && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperandTypes(),
                      [&](Type type) { return type == op.getType(); });
}

static SmallVector<const ConstantTensor *>
getConstants(ModuleImporter &importer, const HloOp &op) {
  SmallVector<const ConstantTensor *> constants;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    constants.push_back(importer.getConstant(op, i));
  return constants;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

using BuildUnary = Value (*)(TensorMath &, Value);
using FloatUnary = float (*)(float);

template <typename Op> static Value build(TensorMath &math, Value x) {
  return math.apply<Op>(x);
}

/// An operation on floats only.
static Handler onFloats(BuildUnary build, FloatUnary compute) {
  return [=](ModuleImporter &importer, const HloOp &op) -> LogicalResult {
    if (!hasOperands(op, 1) || !hasFloats(op))
      return importer.unsupported(op, "its operand is not made of floats");
    Type element = op.getType().getElementType();
    if (importer.areConstants(op)) {
      importer.define(op, evaluate<float, float>(getConstants(importer, op),
                                                 [&](float x, float, float) {
                                                   return round(compute(x),
                                                                element);
                                                 }));
      return success();
    }
    Value x = importer.getValue(op, 0);
    TensorMath math(importer, op.getLoc());
    importer.define(op, build(math, x));
    return success();
  };
}

static Value buildSquare(TensorMath &math, Value x) {
  return math.apply<arith::MulFOp>(x, x);
}

/// -x, without double negation.
static Value negate(TensorMath &math, Value x) {
  if (auto negated = x.getDefiningOp<arith::NegFOp>())
    return negated.getOperand();
  if (auto product = x.getDefiningOp<arith::MulFOp>()) {
    Value a = product.getLhs(), b = product.getRhs();
    if (auto negated = a.getDefiningOp<arith::NegFOp>())
      return math.apply<arith::MulFOp>(negated.getOperand(), b);
    if (auto negated = b.getDefiningOp<arith::NegFOp>())
      return math.apply<arith::MulFOp>(a, negated.getOperand());
  }
  return math.apply<arith::NegFOp>(x);
}

/// erfc(x) = 1 - erf(x), which is 1 + erf(-x).
static Value buildErfc(TensorMath &math, Value x) {
  return math.apply<arith::AddFOp>(math.number(tensorType(x), 1),
                                   math.apply<math::ErfOp>(negate(math, x)));
}

static Value buildTan(TensorMath &math, Value x) {
  return math.apply<arith::DivFOp>(math.apply<math::SinOp>(x),
                                   math.apply<math::CosOp>(x));
}

static LogicalResult importLogistic(ModuleImporter &importer, const HloOp &op) {
  if (!hasOperands(op, 1) || !hasFloats(op))
    return importer.unsupported(op, "its operand is not made of floats");
  Type element = op.getType().getElementType();
  if (importer.areConstants(op)) {
    importer.define(op,
                    evaluate<float, float>(
                        getConstants(importer, op), [&](float x, float, float) {
                          return round(1 / (1 + std::exp(-x)), element);
                        }));
    return success();
  }
  Value x = importer.toMatrix(op.getLoc(), importer.getValue(op, 0));
  Value y = ActivationOp::create(importer.builder, op.getLoc(),
                                 ActivationKind::Sigmoid, x)
                .getY();
  importer.define(op, importer.reshape(op.getLoc(), y, op.getShape()));
  return success();
}

/// -x, |x| and the sign of x, of floats or integers.
enum class Sign { Negate, Abs, Sign };
template <Sign kind>
static LogicalResult importSign(ModuleImporter &importer, const HloOp &op) {
  if (!hasOperands(op, 1) || hasTruths(op))
    return importer.unsupported(op, "its operand is not made of numbers");
  auto compute = [](auto x) -> decltype(x) {
    if (kind == Sign::Negate)
      return -x;
    if (kind == Sign::Abs)
      return x < 0 ? -x : x;
    return x > 0 ? 1 : x < 0 ? -1 : x;
  };
  Type element = op.getType().getElementType();
  if (importer.areConstants(op)) {
    auto constants = getConstants(importer, op);
    if (hasFloats(op))
      importer.define(
          op, evaluate<float, float>(constants, [&](float x, float, float) {
            return round(compute(x), element);
          }));
    else
      importer.define(op, evaluate<int64_t, int64_t>(
                              constants, [&](int64_t x, int64_t, int64_t) {
                                return wrap(int64_t(compute(__int128(x))),
                                            element);
                              }));
    return success();
  }
  Value x = importer.getValue(op, 0);
  TensorMath math(importer, op.getLoc());
  auto number = [&](double value) { return math.number(op.getType(), value); };
  Value y;
  if (kind == Sign::Sign) {
    Value positive, negative;
    if (hasFloats(op)) {
      positive = math.compare(arith::CmpFPredicate::OGT, x, number(0));
      negative = math.compare(arith::CmpFPredicate::OLT, x, number(0));
    } else {
      positive = math.compare(arith::CmpIPredicate::sgt, x, number(0));
      negative = math.compare(arith::CmpIPredicate::slt, x, number(0));
    }
    y = math.select(positive, number(1), math.select(negative, number(-1), x));
  } else if (hasFloats(op)) {
    y = kind == Sign::Abs ? math.apply<math::AbsFOp>(x)
                          : math.apply<arith::NegFOp>(x);
  } else {
    y = math.apply<arith::SubIOp>(number(0), x);
    if (kind == Sign::Abs)
      y = math.apply<arith::MaxSIOp>(x, y);
  }
  importer.define(op, y);
  return success();
}

static LogicalResult importNot(ModuleImporter &importer, const HloOp &op) {
  if (!hasOperands(op, 1) || !hasTruths(op))
    return importer.unsupported(op, "its operand is not made of truth values");
  if (importer.areConstants(op)) {
    importer.define(
        op, evaluate<uint8_t, bool>(getConstants(importer, op),
                                    [](bool x, bool, bool) { return !x; }));
    return success();
  }
  TensorMath math(importer, op.getLoc());
  importer.define(op, math.apply<arith::XOrIOp>(importer.getValue(op, 0),
                                                math.number(op.getType(), 1)));
  return success();
}

static LogicalResult importIsFinite(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumOperands() != 1 || !hasFloats(op) ||
      !op.getType().getElementType().isInteger(1))
    return importer.unsupported(op, "its operand is not made of floats");
  if (importer.areConstants(op)) {
    importer.define(op, evaluate<uint8_t, float>(getConstants(importer, op),
                                                 [](float x, float, float) {
                                                   return std::isfinite(x);
                                                 }));
    return success();
  }
  Value x = importer.getValue(op, 0);
  TensorMath math(importer, op.getLoc());
  importer.define(
      op, math.compare(arith::CmpFPredicate::OLT, math.apply<math::AbsFOp>(x),
                       math.number(tensorType(x),
                                   std::numeric_limits<double>::infinity())));
  return success();
}

static LogicalResult importConvert(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumOperands() != 1 ||
      cast<RankedTensorType>(op->getOperand(0).getType()).getShape() !=
          op.getShape())
    return importer.unsupported(op, "its operand is not of its shape");
  Type element = op.getType().getElementType();
  if (importer.areConstants(op)) {
    auto constants = getConstants(importer, op);
    if (isa<FloatType>(element))
      importer.define(
          op, evaluate<float, float>(constants, [&](float x, float, float) {
            return round(x, element);
          }));
    else if (element.isInteger(1))
      importer.define(
          op, evaluate<uint8_t, float>(
                  constants, [](float x, float, float) { return x != 0; }));
    else if (hasFloats(op))
      importer.define(
          op, evaluate<int64_t, double>(
                  constants, [&](double x, double, double) -> int64_t {
                    // Numbers outside the integer range saturate.
                    double limit = element.isInteger(32) ? 0x1p31 : 0x1p63;
                    if (std::isnan(x))
                      return 0;
                    if (x >= limit)
                      return element.isInteger(32) ? INT32_MAX : INT64_MAX;
                    return x < -limit ? int64_t(-limit) : int64_t(x);
                  }));
    else
      importer.define(op, evaluate<int64_t, int64_t>(
                              constants, [&](int64_t x, int64_t, int64_t) {
                                return wrap(x, element);
                              }));
    return success();
  }
  TensorMath math(importer, op.getLoc());
  importer.define(op, math.convert(importer.getValue(op, 0), element));
  return success();
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

using BuildBinary = Value (*)(TensorMath &, Value, Value);

namespace {
/// One operation on floats, integers and booleans; null if not supported.
struct Binary {
  BuildBinary buildFloats = nullptr;
  float (*computeFloats)(float, float) = nullptr;
  BuildBinary buildInts = nullptr;
  int64_t (*computeInts)(int64_t, int64_t) = nullptr;
  BuildBinary buildTruths = nullptr;
  bool (*computeTruths)(bool, bool) = nullptr;
  /// The neutral value: x op neutral = neutral op x = x.
  std::optional<double> neutral;
};
} // namespace

template <typename Op> static Value build(TensorMath &math, Value a, Value b) {
  return math.apply<Op>(a, b);
}

/// True if a constant is a splat of this number.
static bool isNumber(const ConstantTensor *constant, double number) {
  return constant && constant->getSplat() == number;
}

/// The rows that te.add broadcasts if `value` repeats along leading dimensions
/// only; null if it does not.
static Value getRepeatedRows(ModuleImporter &importer, Location loc,
                             Value value) {
  auto broadcast = value.getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast)
    return {};
  int64_t rank = tensorType(value).getRank(),
          added = broadcast.getDimensions().size();
  if (added == rank ||
      !llvm::equal(broadcast.getDimensions(), llvm::seq<int64_t>(0, added)))
    return {};
  return importer.toMatrix(
      loc, importer.reshape(loc, broadcast.getInput(),
                            tensorType(value).getShape().drop_front(added)));
}

/// a + b of matrices is te.add, which broadcasts the rows of b.
static Value buildSum(ModuleImporter &importer, Location loc, Value a,
                      Value b) {
  Value rows = getRepeatedRows(importer, loc, b);
  if (!rows) {
    rows = getRepeatedRows(importer, loc, a);
    if (rows)
      std::swap(a, b);
  }
  ArrayRef<int64_t> shape = tensorType(a).getShape();
  Value matrix = importer.toMatrix(loc, a);
  if (!rows)
    rows = importer.toMatrix(loc, b);
  Value y =
      AddOp::create(importer.builder, loc, matrix.getType(), matrix, rows);
  return importer.reshape(loc, y, shape);
}

static Handler onBoth(Binary binary) {
  return [=](ModuleImporter &importer, const HloOp &op) -> LogicalResult {
    if (!hasOperands(op, 2))
      return importer.unsupported(op, "its operands are not of its type");
    bool floats = hasFloats(op), truths = hasTruths(op);
    BuildBinary build = floats   ? binary.buildFloats
                        : truths ? binary.buildTruths
                                 : binary.buildInts;
    StringRef kind = floats ? "floats" : truths ? "truth values" : "integers";
    if (!build)
      return importer.unsupported(op, "it has operands of " + kind);
    Type element = op.getType().getElementType();
    const ConstantTensor *a = importer.getConstant(op, 0),
                         *b = importer.getConstant(op, 1);
    if (a && b) {
      if (floats)
        importer.define(
            op, evaluate<float, float>({a, b}, [&](float x, float y, float) {
              return round(binary.computeFloats(x, y), element);
            }));
      else if (truths)
        importer.define(
            op, evaluate<uint8_t, bool>({a, b}, [&](bool x, bool y, bool) {
              return binary.computeTruths(x, y);
            }));
      else
        importer.define(op, evaluate<int64_t, int64_t>(
                                {a, b}, [&](int64_t x, int64_t y, int64_t) {
                                  return wrap(binary.computeInts(x, y),
                                              element);
                                }));
      return success();
    }
    if (binary.neutral && floats)
      for (unsigned i : {0, 1})
        if (isNumber(i == 0 ? a : b, *binary.neutral)) {
          importer.define(op, importer.getValue(op, 1 - i));
          return success();
        }
    Value x = importer.getValue(op, 0), y = importer.getValue(op, 1);
    if (!x || !y)
      return failure();
    TensorMath math(importer, op.getLoc());
    importer.define(op, build(math, x, y));
    return success();
  };
}

static LogicalResult importAdd(ModuleImporter &importer, const HloOp &op) {
  static const Handler other = onBoth(
      {build<arith::AddFOp>, [](float x, float y) { return x + y; },
       build<arith::AddIOp>,
       [](int64_t x, int64_t y) { return int64_t(uint64_t(x) + uint64_t(y)); },
       build<arith::OrIOp>, [](bool x, bool y) { return x || y; },
       std::nullopt});
  auto isSplat = [&](unsigned operand) {
    const ConstantTensor *constant = importer.getConstant(op, operand);
    return constant && constant->getSplat();
  };
  bool isSum = hasOperands(op, 2) && hasFloats(op) &&
               !importer.areConstants(op) && op.getType().getRank() > 0 &&
               !isSplat(0) && !isSplat(1);
  if (!isSum)
    return other(importer, op);
  Value a = importer.getValue(op, 0), b = importer.getValue(op, 1);
  if (!a || !b)
    return failure();
  // A sum inside a formula stays arithmetic like the rest of it.
  auto isFormula = [](Value value) {
    Operation *source = value.getDefiningOp();
    return source && OpTrait::hasElementwiseMappableTraits(source);
  };
  if (isFormula(a) || isFormula(b))
    return other(importer, op);
  importer.define(op, buildSum(importer, op.getLoc(), a, b));
  return success();
}

/// Rejects the complex operations that splitComplex leaves: ill-typed ones, and
/// the operands of those that it cannot split.
static LogicalResult importComplex(ModuleImporter &importer, const HloOp &op) {
  return importer.unsupported(op, "its result is not complex");
}

static LogicalResult importPart(ModuleImporter &importer, const HloOp &op) {
  return importer.unsupported(op, "its operand is not complex");
}

/// Integers are divided by constants, which are known not to be 0 or -1.
template <typename FloatOp, typename IntOp, bool isRemainder>
static LogicalResult importDivision(ModuleImporter &importer, const HloOp &op) {
  const ConstantTensor *divisor =
      op->getNumOperands() == 2 ? importer.getConstant(op, 1) : nullptr;
  if (op->getNumOperands() == 2 && !hasFloats(op)) {
    bool isKnown = divisor && divisor->isInt();
    if (isKnown)
      for (int64_t value :
           reshapeConstant(*divisor, divisor->getShape()).toVector<int64_t>())
        isKnown &= value != 0 && value != -1;
    if (!isKnown)
      return importer.unsupported(
          op, "it divides integers by others than fixed numbers");
  }
  static const Handler handler = onBoth(
      {build<FloatOp>,
       [](float x, float y) { return isRemainder ? std::fmod(x, y) : x / y; },
       build<IntOp>,
       [](int64_t x, int64_t y) { return isRemainder ? x % y : x / y; },
       nullptr, nullptr, std::nullopt});
  return handler(importer, op);
}

void mlir::te::stablehlo_import::populateElementwiseHandlers(
    HandlerTable &table) {
  auto floats = [&](StringRef name, BuildUnary build, FloatUnary compute) {
    table[name] = onFloats(build, compute);
  };
  floats("stablehlo.ceil", build<math::CeilOp>, std::ceil);
  floats("stablehlo.cosine", build<math::CosOp>, std::cos);
  floats("stablehlo.exponential", build<math::ExpOp>, std::exp);
  floats("stablehlo.exponential_minus_one", build<math::ExpM1Op>, std::expm1);
  floats("stablehlo.floor", build<math::FloorOp>, std::floor);
  floats("stablehlo.log", build<math::LogOp>, std::log);
  floats("stablehlo.log_plus_one", build<math::Log1pOp>, std::log1p);
  floats("stablehlo.round_nearest_afz", build<math::RoundOp>, std::round);
  floats("stablehlo.round_nearest_even", build<math::RoundEvenOp>,
         std::nearbyint);
  floats("stablehlo.rsqrt", build<math::RsqrtOp>,
         [](float x) { return 1 / std::sqrt(x); });
  floats("stablehlo.sine", build<math::SinOp>, std::sin);
  floats("stablehlo.sqrt", build<math::SqrtOp>, std::sqrt);
  floats("stablehlo.tan", buildTan, std::tan);
  floats("stablehlo.tanh", build<math::TanhOp>, std::tanh);
  floats("chlo.cosh", build<math::CoshOp>, std::cosh);
  floats("chlo.erf", build<math::ErfOp>, std::erf);
  floats("chlo.erfc", buildErfc, std::erfc);
  floats("chlo.sinh", build<math::SinhOp>, std::sinh);
  floats("chlo.square", buildSquare, [](float x) { return x * x; });
  floats("chlo.tan", buildTan, std::tan);
  table["stablehlo.logistic"] = importLogistic;
  table["stablehlo.abs"] = importSign<Sign::Abs>;
  table["stablehlo.negate"] = importSign<Sign::Negate>;
  table["stablehlo.sign"] = importSign<Sign::Sign>;
  table["stablehlo.not"] = importNot;
  table["stablehlo.is_finite"] = importIsFinite;
  table["stablehlo.convert"] = importConvert;

  table["stablehlo.complex"] = importComplex;
  table["stablehlo.imag"] = importPart;
  table["stablehlo.real"] = importPart;

  table["stablehlo.add"] = importAdd;
  table["stablehlo.maximum"] =
      onBoth({build<arith::MaximumFOp>,
              [](float x, float y) {
                return std::isnan(x) || std::isnan(y) ? NAN : std::max(x, y);
              },
              build<arith::MaxSIOp>,
              [](int64_t x, int64_t y) { return std::max(x, y); },
              build<arith::OrIOp>, [](bool x, bool y) { return x || y; },
              -std::numeric_limits<double>::infinity()});
  table["stablehlo.divide"] =
      importDivision<arith::DivFOp, arith::DivSIOp, false>;
  table["stablehlo.remainder"] =
      importDivision<arith::RemFOp, arith::RemSIOp, true>;
  table["stablehlo.subtract"] = onBoth(
      {build<arith::SubFOp>, [](float x, float y) { return x - y; },
       build<arith::SubIOp>,
       [](int64_t x, int64_t y) { return int64_t(uint64_t(x) - uint64_t(y)); },
       nullptr, nullptr, std::nullopt});
  table["stablehlo.multiply"] = onBoth(
      {build<arith::MulFOp>, [](float x, float y) { return x * y; },
       build<arith::MulIOp>,
       [](int64_t x, int64_t y) { return int64_t(uint64_t(x) * uint64_t(y)); },
       build<arith::AndIOp>, [](bool x, bool y) { return x && y; },
       std::nullopt});
  table["stablehlo.minimum"] =
      onBoth({build<arith::MinimumFOp>,
              [](float x, float y) {
                return std::isnan(x) || std::isnan(y) ? NAN : std::min(x, y);
              },
              build<arith::MinSIOp>,
              [](int64_t x, int64_t y) { return std::min(x, y); },
              build<arith::AndIOp>, [](bool x, bool y) { return x && y; },
              std::numeric_limits<double>::infinity()});
  table["stablehlo.power"] = onBoth(
      {build<math::PowFOp>, [](float x, float y) { return std::pow(x, y); },
       nullptr, nullptr, nullptr, nullptr, std::nullopt});
  table["stablehlo.and"] =
      onBoth({nullptr, nullptr, build<arith::AndIOp>,
              [](int64_t x, int64_t y) { return x & y; }, build<arith::AndIOp>,
              [](bool x, bool y) { return x && y; }, std::nullopt});
  table["stablehlo.or"] =
      onBoth({nullptr, nullptr, build<arith::OrIOp>,
              [](int64_t x, int64_t y) { return x | y; }, build<arith::OrIOp>,
              [](bool x, bool y) { return x || y; }, std::nullopt});
  table["stablehlo.xor"] =
      onBoth({nullptr, nullptr, build<arith::XOrIOp>,
              [](int64_t x, int64_t y) { return x ^ y; }, build<arith::XOrIOp>,
              [](bool x, bool y) { return x != y; }, std::nullopt});
}
