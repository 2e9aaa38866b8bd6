// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float32 arithmetic is computed in double and rounded once, which is exact for
// sums, products, quotients and roots.

#include "Linalg/ScalarFunctions.h"

#include "te/Support/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;

double mlir::te::roundTo(double value, FloatType type) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return float(value);
  APFloat rounded(value);
  bool ignored;
  rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &ignored);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &ignored);
  return rounded.convertToDouble();
}

/// Index counts as 64 bits.
static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

int64_t mlir::te::wrapTo(int64_t value, Type type) {
  unsigned width = widthOf(type);
  if (width == 1)
    return value & 1;
  return width >= 64 ? value : llvm::SignExtend64(uint64_t(value), width);
}

/// The value as an unsigned integer of its width.
static uint64_t asUnsigned(int64_t value, Type type) {
  unsigned width = widthOf(type);
  return width >= 64
             ? uint64_t(value)
             : uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

/// The value as a signed integer: i1 has 0 and -1.
static int64_t asSigned(int64_t value, Type type) {
  return type.isInteger(1) ? -value : value;
}

namespace {
using FloatFunction = double (*)(const Number *);
/// On values sign-extended from their width; false if there is no result.
using SignedFunction = bool (*)(int64_t, int64_t, int64_t &);
using UnsignedFunction = bool (*)(uint64_t, uint64_t, uint64_t &);

struct Tables {
  llvm::StringMap<FloatFunction> floats;
  llvm::StringMap<SignedFunction> signedInts;
  llvm::StringMap<UnsignedFunction> unsignedInts;

  Tables();
};
} // namespace

template <double (*fn)(double)> static double unary(const Number *x) {
  return fn(x[0].real);
}
template <double (*fn)(double, double)> static double binary(const Number *x) {
  return fn(x[0].real, x[1].real);
}

static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
static double minimum(double a, double b) { return -maximum(-a, -b); }

Tables::Tables() {
#define FLOAT(Op, expression)                                                  \
  floats[Op::getOperationName()] =                                             \
      +[](const Number *x) -> double { return expression; }
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
#undef FLOAT
#define MATH(Op, function)                                                     \
  floats[Op::getOperationName()] =                                             \
      unary<static_cast<double (*)(double)>(function)>
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
#define MATH(Op, function)                                                     \
  floats[Op::getOperationName()] =                                             \
      binary<static_cast<double (*)(double, double)>(function)>
  MATH(arith::MaximumFOp, maximum);
  MATH(arith::MinimumFOp, minimum);
  MATH(arith::MaxNumFOp, std::fmax);
  MATH(arith::MinNumFOp, std::fmin);
  MATH(arith::RemFOp, std::fmod);
  MATH(math::Atan2Op, std::atan2);
  MATH(math::CopySignOp, std::copysign);
  MATH(math::PowFOp, std::pow);
#undef MATH
#define INTEGER(Table, Word, Op, condition, expression)                        \
  Table[Op::getOperationName()] = +[](Word a, Word b, Word &result) -> bool {  \
    if (!(condition))                                                          \
      return false;                                                            \
    result = expression;                                                       \
    return true;                                                               \
  }
  // Sums and products wrap around; they are the same with and without signs.
#define WRAPPED(Op, condition, expression)                                     \
  INTEGER(unsignedInts, uint64_t, Op, condition, expression)
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
  INTEGER(signedInts, int64_t, Op, condition, expression)
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
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
}

//===----------------------------------------------------------------------===//
// Comparisons, choices and conversions
//===----------------------------------------------------------------------===//

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  // The lowest bits: equal, greater, less, unordered.
  unsigned is = std::isnan(a) || std::isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  using P = arith::CmpFPredicate;
  auto holds = [&]() -> unsigned {
    switch (predicate) {
    case P::AlwaysFalse:
      return 0;
    case P::OEQ:
      return 1;
    case P::OGT:
      return 2;
    case P::OGE:
      return 3;
    case P::OLT:
      return 4;
    case P::OLE:
      return 5;
    case P::ONE:
      return 6;
    case P::ORD:
      return 7;
    case P::UEQ:
      return 9;
    case P::UGT:
      return 10;
    case P::UGE:
      return 11;
    case P::ULT:
      return 12;
    case P::ULE:
      return 13;
    case P::UNE:
      return 14;
    case P::UNO:
      return 8;
    case P::AlwaysTrue:
      return 15;
    }
    return 0;
  };
  return holds() & is;
}

/// A float truncated to an integer of `type`: saturated, and 0 for NaN, as
/// kernels convert.
static int64_t toInteger(double value, Type type, bool isUnsigned) {
  const unsigned width = widthOf(type);
  llvm::APSInt integer(width, isUnsigned);
  bool ignored;
  (void)APFloat(value).convertToInteger(integer, APFloat::rmTowardZero,
                                        &ignored);
  return wrapTo(isUnsigned ? int64_t(integer.getZExtValue())
                           : integer.getSExtValue(),
                type);
}

/// Conversions, comparisons and selections, whose operands and results differ
/// in type.
static ScalarFunction getConversion(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()),
       to = getElementTypeOrSelf(op->getResult(0).getType());
  using Result = ScalarFunction;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::CmpFOp compareOp) -> Result {
        return [predicate = compareOp.getPredicate()](const Number *x,
                                                      Number &result) {
          result.integer = compare(predicate, x[0].real, x[1].real);
          return true;
        };
      })
      .Case([from](arith::CmpIOp compareOp) -> Result {
        return [predicate = compareOp.getPredicate(), from](const Number *x,
                                                            Number &result) {
          unsigned width = widthOf(from);
          auto bits = [&](int64_t value) {
            return APInt(width, asUnsigned(value, from));
          };
          result.integer = arith::applyCmpPredicate(
              predicate, bits(x[0].integer), bits(x[1].integer));
          return true;
        };
      })
      .Case([](arith::SelectOp) -> Result {
        return [](const Number *x, Number &result) {
          result = x[0].integer ? x[1] : x[2];
          return true;
        };
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([=](auto) -> Result {
        return [from, to](const Number *x, Number &result) {
          result.integer = wrapTo(int64_t(asUnsigned(x[0].integer, from)), to);
          return true;
        };
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(
          [=](auto) -> Result {
            return [from, to](const Number *x, Number &result) {
              result.integer = wrapTo(asSigned(x[0].integer, from), to);
              return true;
            };
          })
      .Case([=](arith::SIToFPOp) -> Result {
        return [from, to](const Number *x, Number &result) {
          // Through double, integers beyond 2^53 would be rounded twice.
          int64_t value = asSigned(x[0].integer, from);
          result.real = to.isF32()
                            ? double(float(value))
                            : roundTo(double(value), cast<FloatType>(to));
          return true;
        };
      })
      .Case([=](arith::UIToFPOp) -> Result {
        return [from, to](const Number *x, Number &result) {
          uint64_t value = asUnsigned(x[0].integer, from);
          result.real = to.isF32()
                            ? double(float(value))
                            : roundTo(double(value), cast<FloatType>(to));
          return true;
        };
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([=](auto conversion) -> Result {
        bool isUnsigned = isa<arith::FPToUIOp>(conversion);
        return [to, isUnsigned](const Number *x, Number &result) {
          result.integer = toInteger(x[0].real, to, isUnsigned);
          return true;
        };
      })
      .Case([](math::IsNaNOp) -> Result {
        return [](const Number *x, Number &result) {
          result.integer = std::isnan(x[0].real);
          return true;
        };
      })
      .Case([](math::IsInfOp) -> Result {
        return [](const Number *x, Number &result) {
          result.integer = std::isinf(x[0].real);
          return true;
        };
      })
      .Case([](math::IsFiniteOp) -> Result {
        return [](const Number *x, Number &result) {
          result.integer = std::isfinite(x[0].real);
          return true;
        };
      })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [from](auto shift) -> Result {
            bool left = isa<arith::ShLIOp>(shift),
                 isSigned = isa<arith::ShRSIOp>(shift);
            return [=](const Number *x, Number &result) {
              uint64_t by = asUnsigned(x[1].integer, from);
              if (by >= widthOf(from))
                return false;
              int64_t value = x[0].integer;
              result.integer =
                  wrapTo(left       ? int64_t(uint64_t(value) << by)
                         : isSigned ? asSigned(value, from) >> by
                                    : int64_t(asUnsigned(value, from) >> by),
                         from);
              return true;
            };
          })
      .Case([from](math::AbsIOp) -> Result {
        return [from](const Number *x, Number &result) {
          int64_t value = asSigned(x[0].integer, from);
          result.integer =
              wrapTo(value < 0 ? int64_t(-uint64_t(value)) : value, from);
          return true;
        };
      })
      .Default([](Operation *) { return Result(); });
}

ScalarFunction mlir::te::getScalarFunction(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      op->getNumRegions() != 0 || getRoundingProblem(op))
    return {};
  auto isNumber = [](Type type) {
    type = getElementTypeOrSelf(type);
    return (isa<FloatType>(type) && widthOf(type) <= 64) ||
           ((type.isSignlessInteger() || type.isIndex()) &&
            widthOf(type) <= 64);
  };
  if (!llvm::all_of(op->getOperandTypes(), isNumber) ||
      !llvm::all_of(op->getResultTypes(), isNumber))
    return {};
  static const Tables tables;
  StringRef name = op->getName().getStringRef();
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (FloatFunction function = tables.floats.lookup(name))
    return [function, element = cast<FloatType>(type)](const Number *x,
                                                       Number &result) {
      result.real = roundTo(function(x), element);
      return true;
    };
  if (SignedFunction function = tables.signedInts.lookup(name))
    return [function, type](const Number *x, Number &result) {
      int64_t value;
      if (!function(asSigned(x[0].integer, type), asSigned(x[1].integer, type),
                    value))
        return false;
      result.integer = wrapTo(value, type);
      return true;
    };
  if (UnsignedFunction function = tables.unsignedInts.lookup(name))
    return [function, type](const Number *x, Number &result) {
      uint64_t value;
      if (!function(asUnsigned(x[0].integer, type),
                    asUnsigned(x[1].integer, type), value))
        return false;
      result.integer = wrapTo(int64_t(value), type);
      return true;
    };
  return getConversion(op);
}
