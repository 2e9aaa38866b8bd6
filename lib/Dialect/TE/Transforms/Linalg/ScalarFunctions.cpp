// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float32 arithmetic is computed in double and rounded once, which is exact for
// sums, products, quotients and roots.

#include "te/Dialect/TE/Transforms/Linalg/ScalarFunctions.h"

#include "te/Support/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;

double mlir::te::roundTo(double value, Type type) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return float(value);
  APFloat rounded(value);
  bool ignored;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &ignored);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &ignored);
  return rounded.convertToDouble();
}

namespace {
/// An element type with what every computation asks of it.
struct Element {
  Element(Type type)
      : type(type), width(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()),
        isF32(type.isF32()) {}

  Type type;
  unsigned width; ///< index counts as 64 bits
  bool isF32;
};
} // namespace

static double toNearest(double value, const Element &element) {
  return element.isF32 ? double(float(value)) : roundTo(value, element.type);
}

static int64_t wrapInto(int64_t value, const Element &element) {
  if (element.width == 1)
    return value & 1;
  return element.width >= 64
             ? value
             : llvm::SignExtend64(uint64_t(value), element.width);
}

int64_t mlir::te::wrapTo(int64_t value, Type type) {
  return wrapInto(value, Element(type));
}

/// The value as an unsigned integer of its width.
static uint64_t asUnsigned(int64_t value, const Element &element) {
  return element.width >= 64
             ? uint64_t(value)
             : uint64_t(value) &
                   llvm::maskTrailingOnes<uint64_t>(element.width);
}

/// The value as a signed integer: i1 has 0 and -1.
static int64_t asSigned(int64_t value, const Element &element) {
  return element.width == 1 ? -value : value;
}

static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
static double minimum(double a, double b) { return -maximum(-a, -b); }

/// A float truncated to an integer of `type`: saturated, and 0 for NaN, as
/// kernels convert.
static int64_t toInteger(double value, const Element &element,
                         bool isUnsigned) {
  llvm::APSInt integer(element.width, isUnsigned);
  bool ignored;
  (void)APFloat(value).convertToInteger(integer, APFloat::rmTowardZero,
                                        &ignored);
  return wrapInto(isUnsigned ? int64_t(integer.getZExtValue())
                             : integer.getSExtValue(),
                  element);
}

/// An integer as a float of `type`. Through double, integers beyond 2^53 would
/// be rounded twice.
template <typename T> static double toFloat(T value, const Element &element) {
  return element.isF32 ? double(float(value))
                       : roundTo(double(value), element.type);
}

namespace {
/// The result of type `to` for the operands `x` of type `from`; false if there
/// is none.
using Function = bool (*)(const Number *x, const Element &from,
                          const Element &to, Number &result);

struct Functions : llvm::StringMap<Function> {
  Functions();
};
} // namespace

Functions::Functions() {
  Functions &table = *this;
#define FUNCTION(Op, ...)                                                      \
  table[Op::getOperationName()] =                                              \
      +[](const Number *x, [[maybe_unused]] const Element &from,               \
          [[maybe_unused]] const Element &to,                                  \
          Number &result) -> bool { __VA_ARGS__ }
#define FLOAT(Op, expression)                                                  \
  FUNCTION(Op, result.real = toNearest(expression, to); return true;)
  FLOAT(arith::AddFOp, x[0].real + x[1].real);
  FLOAT(arith::SubFOp, x[0].real - x[1].real);
  FLOAT(arith::MulFOp, x[0].real * x[1].real);
  FLOAT(arith::DivFOp, x[0].real / x[1].real);
  FLOAT(arith::NegFOp, -x[0].real);
  FLOAT(arith::ExtFOp, x[0].real);
  FLOAT(arith::TruncFOp, x[0].real);
  FLOAT(math::RsqrtOp, 1 / std::sqrt(x[0].real));
  FLOAT(math::FmaOp, std::fma(x[0].real, x[1].real, x[2].real));
  FLOAT(math::FPowIOp, std::pow(x[0].real, double(x[1].integer)));
  FLOAT(math::ClampFOp, minimum(maximum(x[0].real, x[1].real), x[2].real));
#define MATH(Op, function) FLOAT(Op, function(x[0].real))
  MATH(math::AbsFOp, std::fabs);
  MATH(math::AcosOp, std::acos);
  MATH(math::AcoshOp, std::acosh);
  MATH(math::AsinOp, std::asin);
  MATH(math::AsinhOp, std::asinh);
  MATH(math::AtanOp, std::atan);
  MATH(math::AtanhOp, std::atanh);
  MATH(math::CbrtOp, std::cbrt);
  MATH(math::CeilOp, std::ceil);
  MATH(math::CosOp, std::cos);
  MATH(math::CoshOp, std::cosh);
  MATH(math::ErfOp, std::erf);
  MATH(math::ErfcOp, std::erfc);
  MATH(math::Exp2Op, std::exp2);
  MATH(math::ExpM1Op, std::expm1);
  MATH(math::ExpOp, std::exp);
  MATH(math::FloorOp, std::floor);
  MATH(math::Log10Op, std::log10);
  MATH(math::Log1pOp, std::log1p);
  MATH(math::Log2Op, std::log2);
  MATH(math::LogOp, std::log);
  MATH(math::RoundEvenOp, std::nearbyint);
  MATH(math::RoundOp, std::round);
  MATH(math::SinOp, std::sin);
  MATH(math::SinhOp, std::sinh);
  MATH(math::SqrtOp, std::sqrt);
  MATH(math::TanOp, std::tan);
  MATH(math::TanhOp, std::tanh);
  MATH(math::TruncOp, std::trunc);
#undef MATH
#define MATH(Op, function) FLOAT(Op, function(x[0].real, x[1].real))
  MATH(arith::MaximumFOp, maximum);
  MATH(arith::MinimumFOp, minimum);
  MATH(arith::MaxNumFOp, std::fmax);
  MATH(arith::MinNumFOp, std::fmin);
  MATH(arith::RemFOp, std::fmod);
  MATH(math::Atan2Op, std::atan2);
  MATH(math::CopySignOp, std::copysign);
  MATH(math::PowFOp, std::pow);
#undef MATH
#undef FLOAT
#define INTEGER(Word, asWord, Op, condition, expression)                       \
  FUNCTION(Op, const Word a = asWord(x[0].integer, to),                        \
           b = asWord(x[1].integer, to);                                       \
           if (!(condition)) return false;                                     \
           result.integer = wrapInto(int64_t(expression), to); return true;)
  // Sums and products wrap around; they are the same with and without signs.
#define WRAPPED(Op, condition, expression)                                     \
  INTEGER(uint64_t, asUnsigned, Op, condition, expression)
  WRAPPED(arith::AddIOp, true, a + b);
  WRAPPED(arith::SubIOp, true, a - b);
  WRAPPED(arith::MulIOp, true, a * b);
  WRAPPED(arith::AndIOp, true, a & b);
  WRAPPED(arith::OrIOp, true, a | b);
  WRAPPED(arith::XOrIOp, true, a ^ b);
  WRAPPED(arith::DivUIOp, b != 0, a / b);
  WRAPPED(arith::CeilDivUIOp, b != 0, a / b + (a % b != 0));
  WRAPPED(arith::RemUIOp, b != 0, a % b);
  WRAPPED(arith::MaxUIOp, true, std::max(a, b));
  WRAPPED(arith::MinUIOp, true, std::min(a, b));
#undef WRAPPED
#define SIGNED(Op, condition, expression)                                      \
  INTEGER(int64_t, asSigned, Op, condition, expression)
  static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  SIGNED(arith::DivSIOp, b != 0 && !(b == -1 && a == kLeast), a / b);
  SIGNED(arith::RemSIOp, b != 0, b == -1 ? 0 : a % b);
  SIGNED(arith::FloorDivSIOp, b != 0 && !(b == -1 && a == kLeast),
         a / b - (a % b != 0 && (a < 0) != (b < 0)));
  SIGNED(arith::CeilDivSIOp, b != 0 && !(b == -1 && a == kLeast),
         a / b + (a % b != 0 && (a < 0) == (b < 0)));
  SIGNED(arith::MaxSIOp, true, std::max(a, b));
  SIGNED(arith::MinSIOp, true, std::min(a, b));
#undef SIGNED
#undef INTEGER
#define SHIFT(Op, expression)                                                  \
  FUNCTION(Op, const uint64_t by = asUnsigned(x[1].integer, from);             \
           if (by >= from.width) return false;                                 \
           result.integer = wrapInto(int64_t(expression), to); return true;)
  SHIFT(arith::ShLIOp, uint64_t(x[0].integer) << by);
  SHIFT(arith::ShRSIOp, asSigned(x[0].integer, from) >> by);
  SHIFT(arith::ShRUIOp, asUnsigned(x[0].integer, from) >> by);
#undef SHIFT
#define CONVERSION(Op, member, expression)                                     \
  FUNCTION(Op, result.member = expression; return true;)
  CONVERSION(arith::ExtUIOp, integer,
             wrapInto(int64_t(asUnsigned(x[0].integer, from)), to));
  CONVERSION(arith::IndexCastUIOp, integer,
             wrapInto(int64_t(asUnsigned(x[0].integer, from)), to));
  CONVERSION(arith::ExtSIOp, integer,
             wrapInto(asSigned(x[0].integer, from), to));
  CONVERSION(arith::IndexCastOp, integer,
             wrapInto(asSigned(x[0].integer, from), to));
  CONVERSION(arith::TruncIOp, integer,
             wrapInto(asSigned(x[0].integer, from), to));
  CONVERSION(arith::SIToFPOp, real, toFloat(asSigned(x[0].integer, from), to));
  CONVERSION(arith::UIToFPOp, real,
             toFloat(asUnsigned(x[0].integer, from), to));
  CONVERSION(arith::FPToSIOp, integer, toInteger(x[0].real, to, false));
  CONVERSION(arith::FPToUIOp, integer, toInteger(x[0].real, to, true));
  CONVERSION(math::IsNaNOp, integer, std::isnan(x[0].real));
  CONVERSION(math::IsInfOp, integer, std::isinf(x[0].real));
  CONVERSION(math::IsFiniteOp, integer, std::isfinite(x[0].real));
#undef CONVERSION
  FUNCTION(math::AbsIOp, const int64_t value = asSigned(x[0].integer, from);
           result.integer =
               wrapInto(value < 0 ? int64_t(-uint64_t(value)) : value, to);
           return true;);
  FUNCTION(arith::SelectOp, result = x[0].integer ? x[1] : x[2]; return true;);
#undef FUNCTION
}

ScalarFunction mlir::te::getScalarFunction(StringRef name, Type from, Type to) {
  static const Functions functions;
  if (Function function = functions.lookup(name))
    return [function, from = Element(from), to = Element(to)](const Number *x,
                                                              Number &result) {
      return function(x, from, to, result);
    };
  return {};
}

ScalarFunction mlir::te::getComparison(arith::CmpFPredicate predicate) {
  return [=](const Number *x, Number &result) {
    result.integer = arith::applyCmpPredicate(predicate, APFloat(x[0].real),
                                              APFloat(x[1].real));
    return true;
  };
}

ScalarFunction mlir::te::getComparison(arith::CmpIPredicate predicate,
                                       Type type) {
  // Whether it holds for a smaller, an equal and a larger first number.
  std::array<bool, 3> holds;
  for (auto [a, value] : llvm::enumerate(holds))
    value = arith::applyCmpPredicate(predicate, APInt(64, a), APInt(64, 1));
  bool isUnsigned = predicate >= arith::CmpIPredicate::ult;
  return [=, element = Element(type)](const Number *x, Number &result) {
    int64_t a = x[0].integer, b = x[1].integer;
    if (isUnsigned) {
      // Order is kept where the highest bit is the sign.
      constexpr uint64_t kHighest = uint64_t(1) << 63;
      a = int64_t(asUnsigned(a, element) ^ kHighest);
      b = int64_t(asUnsigned(b, element) ^ kHighest);
    } else {
      a = asSigned(a, element);
      b = asSigned(b, element);
    }
    result.integer = holds[a < b ? 0 : a == b ? 1 : 2];
    return true;
  };
}

ScalarFunction mlir::te::getScalarFunction(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      op->getNumRegions() != 0 || getRoundingProblem(op))
    return {};
  auto isNumber = [](Type type) {
    type = getElementTypeOrSelf(type);
    return (isa<FloatType>(type) || type.isSignlessInteger() ||
            type.isIndex()) &&
           Element(type).width <= 64;
  };
  if (!llvm::all_of(op->getOperandTypes(), isNumber) ||
      !llvm::all_of(op->getResultTypes(), isNumber))
    return {};
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return getComparison(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return getComparison(compare.getPredicate(), from);
  return getScalarFunction(op->getName().getStringRef(), from,
                           getElementTypeOrSelf(op->getResult(0).getType()));
}
