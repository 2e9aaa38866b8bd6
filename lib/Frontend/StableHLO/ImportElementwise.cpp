// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations on one or two operands.

#include "ModuleImporter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

static bool hasFloats(const HloOp &op) {
  return isa<FloatType>(op.getOperandType(0).getElementType());
}
static bool hasTruths(const HloOp &op) {
  return op.getOperandType(0).getElementType().isInteger(1);
}

/// True if all operands have the result's type, and there are `count`.
static bool hasOperands(const HloOp &op, unsigned count) {
  return op->getNumOperands() == count && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperandTypes(),
                      [&](Type type) { return type == op.getType(); });
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

using BuildUnary = Value (*)(TensorMath &, Value);

/// Defines an operation as an op of arith or math, by its name, or as what
/// `build` builds.
static LogicalResult defineAs(ModuleImporter &importer, const HloOp &op,
                              StringRef name, BuildUnary build = nullptr) {
  Type element = op.getType().getElementType();
  if (!name.empty() && importer.areConstants(op))
    return importer.defineConstant(op,
                                   getScalarFunction(name, element, element));
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    operands.push_back(importer.getValue(op, i));
    if (!operands.back())
      return failure();
  }
  TensorMath math(importer, op.getLoc());
  return importer.define(op, build ? build(math, operands[0])
                                   : math.apply(name, operands, op.getType()));
}

/// An operation on floats only; `build` builds it of several ops, if there is
/// none with its name.
static Handler onFloats(StringRef name, BuildUnary build = nullptr) {
  return [=](ModuleImporter &importer, const HloOp &op) -> LogicalResult {
    if (!hasOperands(op, 1) || !hasFloats(op))
      return importer.unsupported(op, "its operand is not made of floats");
    return defineAs(importer, op, name, build);
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
  Value x = importer.getValue(op, 0);
  if (!x)
    return failure();
  x = importer.toMatrix(op.getLoc(), x);
  Value y = ActivationOp::create(importer.builder, op.getLoc(),
                                 ActivationKind::Sigmoid, x)
                .getY();
  return importer.define(op, importer.reshape(op.getLoc(), y, op.getShape()));
}

/// -x, |x| and the sign of x, of floats or integers.
enum class Sign { Negate, Abs, Sign };
template <Sign kind>
static LogicalResult importSign(ModuleImporter &importer, const HloOp &op) {
  if (!hasOperands(op, 1) || hasTruths(op))
    return importer.unsupported(op, "its operand is not made of numbers");
  Value x = importer.getValue(op, 0);
  if (!x)
    return failure();
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
  return importer.define(op, y);
}

static LogicalResult importNot(ModuleImporter &importer, const HloOp &op) {
  if (!hasOperands(op, 1) || !hasTruths(op))
    return importer.unsupported(op, "its operand is not made of truth values");
  Value x = importer.getValue(op, 0);
  if (!x)
    return failure();
  TensorMath math(importer, op.getLoc());
  return importer.define(
      op, math.apply<arith::XOrIOp>(x, math.number(op.getType(), 1)));
}

static LogicalResult importIsFinite(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumOperands() != 1 || !hasFloats(op) ||
      !op.getType().getElementType().isInteger(1))
    return importer.unsupported(op, "its operand is not made of floats");
  Value x = importer.getValue(op, 0);
  if (!x)
    return failure();
  TensorMath math(importer, op.getLoc());
  return importer.define(
      op, math.compare(arith::CmpFPredicate::OLT, math.apply<math::AbsFOp>(x),
                       math.number(tensorType(x),
                                   std::numeric_limits<double>::infinity())));
}

static LogicalResult importConvert(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumOperands() != 1 ||
      op.getOperandType(0).getShape() != op.getShape())
    return importer.unsupported(op, "its operand is not of its shape");
  Type element = op.getType().getElementType(),
       from = op.getOperandType(0).getElementType();
  if (importer.areConstants(op) && !element.isInteger(1) && element != from)
    return importer.defineConstant(
        op, getScalarFunction(getConversion(from, element), from, element));
  Value x = importer.getValue(op, 0);
  if (!x)
    return failure();
  TensorMath math(importer, op.getLoc());
  return importer.define(op, math.convert(x, element));
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {
/// One operation on floats, integers and truth values: names of ops, empty if
/// it is not supported.
struct Binary {
  StringRef floats, integers, truths;
  /// The neutral value: x op neutral = neutral op x = x.
  std::optional<double> neutral;
};
} // namespace

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
    StringRef name = floats   ? binary.floats
                     : truths ? binary.truths
                              : binary.integers;
    StringRef kind = floats ? "floats" : truths ? "truth values" : "integers";
    if (name.empty())
      return importer.unsupported(op, "it has operands of " + kind);
    if (binary.neutral && floats && !importer.areConstants(op))
      for (unsigned i : {0, 1})
        if (isNumber(importer.getConstant(op, i), *binary.neutral))
          return importer.define(op, importer.getValue(op, 1 - i));
    return defineAs(importer, op, name);
  };
}

static LogicalResult importAdd(ModuleImporter &importer, const HloOp &op) {
  static const Handler other =
      onBoth({"arith.addf", "arith.addi", "arith.ori", std::nullopt});
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
  return importer.define(op, buildSum(importer, op.getLoc(), a, b));
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
template <bool isRemainder>
static LogicalResult importDivision(ModuleImporter &importer, const HloOp &op) {
  const ConstantTensor *divisor =
      op->getNumOperands() == 2 ? importer.getConstant(op, 1) : nullptr;
  if (op->getNumOperands() == 2 && !hasFloats(op)) {
    bool isKnown = divisor && divisor->isInt();
    if (isKnown)
      for (int64_t value : divisor->toInts())
        isKnown &= value != 0 && value != -1;
    if (!isKnown)
      return importer.unsupported(
          op, "it divides integers by others than fixed numbers");
  }
  static const Handler handler =
      onBoth({isRemainder ? "arith.remf" : "arith.divf",
              isRemainder ? "arith.remsi" : "arith.divsi",
              {},
              std::nullopt});
  return handler(importer, op);
}

void mlir::te::stablehlo_import::populateElementwiseHandlers(
    HandlerTable &table) {
  const std::pair<StringRef, StringRef> floats[] = {
      {"stablehlo.ceil", "math.ceil"},
      {"stablehlo.cosine", "math.cos"},
      {"stablehlo.exponential", "math.exp"},
      {"stablehlo.exponential_minus_one", "math.expm1"},
      {"stablehlo.floor", "math.floor"},
      {"stablehlo.log", "math.log"},
      {"stablehlo.log_plus_one", "math.log1p"},
      {"stablehlo.round_nearest_afz", "math.round"},
      {"stablehlo.round_nearest_even", "math.roundeven"},
      {"stablehlo.rsqrt", "math.rsqrt"},
      {"stablehlo.sine", "math.sin"},
      {"stablehlo.sqrt", "math.sqrt"},
      {"stablehlo.tanh", "math.tanh"},
      {"chlo.cosh", "math.cosh"},
      {"chlo.erf", "math.erf"},
      {"chlo.sinh", "math.sinh"},
  };
  for (auto [name, function] : floats)
    table[name] = onFloats(function);
  table["chlo.erfc"] = onFloats("math.erfc", buildErfc);
  table["stablehlo.tan"] = onFloats("math.tan", buildTan);
  table["chlo.tan"] = onFloats("math.tan", buildTan);
  table["chlo.square"] = onFloats({}, buildSquare);
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
  table["stablehlo.divide"] = importDivision<false>;
  table["stablehlo.remainder"] = importDivision<true>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  table["stablehlo.maximum"] =
      onBoth({"arith.maximumf", "arith.maxsi", "arith.ori", -infinity});
  table["stablehlo.minimum"] =
      onBoth({"arith.minimumf", "arith.minsi", "arith.andi", infinity});
  table["stablehlo.subtract"] =
      onBoth({"arith.subf", "arith.subi", {}, std::nullopt});
  table["stablehlo.multiply"] =
      onBoth({"arith.mulf", "arith.muli", "arith.andi", std::nullopt});
  table["stablehlo.power"] = onBoth({"math.powf", {}, {}, std::nullopt});
  table["stablehlo.and"] =
      onBoth({{}, "arith.andi", "arith.andi", std::nullopt});
  table["stablehlo.or"] = onBoth({{}, "arith.ori", "arith.ori", std::nullopt});
  table["stablehlo.xor"] =
      onBoth({{}, "arith.xori", "arith.xori", std::nullopt});
}
