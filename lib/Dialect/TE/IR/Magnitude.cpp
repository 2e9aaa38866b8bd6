// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Magnitude.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::te;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

MagnitudeRange MagnitudeRange::zero() { return {kInfinity, -kInfinity}; }

MagnitudeRange MagnitudeRange::of(double number) {
  if (number == 0 || !std::isfinite(number))
    return zero();
  double log2 = std::log2(std::abs(number));
  return {log2, log2};
}

MagnitudeRange MagnitudeRange::upTo(double log2) { return {-kInfinity, log2}; }

static double toDouble(APFloat number) {
  bool loses;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

/// Bits of integers with a sign; of an index, the most that it may have.
static unsigned getWidth(Type type) {
  return isa<IndexType>(type) ? 64 : cast<IntegerType>(type).getWidth();
}

MagnitudeRange MagnitudeRange::ofType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto floatType = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    // The log2 of the largest number may round up to that of the next power of
    // two, the least is a power of two itself.
    return {std::log2(toDouble(APFloat::getSmallest(semantics))),
            std::log2(toDouble(APFloat::getLargest(semantics)))};
  }
  if (isa<IntegerType, IndexType>(element)) {
    unsigned width = getWidth(element);
    if (width == 0)
      return zero();
    return {0, std::max(width - 1.0, 0.0)};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// The least and the largest of absolute values.
struct Extent {
  double least = kInfinity, largest = 0;

  void add(double number) {
    number = std::abs(number);
    if (number == 0 || !std::isfinite(number))
      return;
    least = std::min(least, number);
    largest = std::max(largest, number);
  }
  MagnitudeRange get() const {
    if (largest == 0)
      return MagnitudeRange::zero();
    return {std::log2(least), std::log2(largest)};
  }
};
} // namespace

static double toDouble(const APInt &number) {
  return number.getBitWidth() == 1 ? double(number.getZExtValue())
                                   : number.signedRoundToDouble();
}

static MagnitudeRange ofElements(DenseElementsAttr elements) {
  Type type = elements.getElementType();
  Extent extent;
  auto addAll = [&](auto values, auto convert) {
    if (elements.isSplat()) {
      if (elements.getNumElements() != 0)
        extent.add(convert(*values.begin()));
      return;
    }
    for (auto value : values)
      extent.add(convert(value));
  };
  auto same = [](double number) { return number; };
  if (type.isF32())
    addAll(elements.getValues<float>(), same);
  else if (type.isF64())
    addAll(elements.getValues<double>(), same);
  else if (isa<FloatType>(type))
    addAll(elements.getValues<APFloat>(),
           [](const APFloat &number) { return toDouble(number); });
  else if (isa<IntegerType, IndexType>(type))
    addAll(elements.getValues<APInt>(),
           [](const APInt &number) { return toDouble(number); });
  else
    return {};
  return extent.get();
}

static MagnitudeRange ofResource(DenseResourceElementsAttr elements) {
  AsmResourceBlob *blob = elements.getRawHandle().getBlob();
  Type type = elements.getElementType();
  if (!blob || !type.isIntOrFloat())
    return {};
  ArrayRef<char> bytes = blob->getData();
  unsigned width = type.getIntOrFloatBitWidth();
  int64_t size = width / 8;
  if (width % 8 != 0 || size > 8 ||
      int64_t(bytes.size()) != elements.getNumElements() * size)
    return {};
  Extent extent;
  auto floatType = dyn_cast<FloatType>(type);
  for (int64_t i = 0, e = elements.getNumElements(); i < e; ++i) {
    const char *data = bytes.data() + i * size;
    if (type.isF32()) {
      float number;
      std::memcpy(&number, data, sizeof(number));
      extent.add(number);
      continue;
    }
    uint64_t bits = 0;
    std::memcpy(&bits, data, size);
    APInt number(width, bits);
    extent.add(floatType
                   ? toDouble(APFloat(floatType.getFloatSemantics(), number))
                   : toDouble(number));
  }
  return extent.get();
}

MagnitudeRange MagnitudeRange::ofAttribute(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return of(toDouble(number.getValue()));
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return of(toDouble(number.getValue()));
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute))
    return ofElements(elements);
  if (auto elements = dyn_cast<DenseResourceElementsAttr>(attribute))
    return ofResource(elements);
  return {};
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

MagnitudeRange MagnitudeRange::join(MagnitudeRange other) const {
  return {std::min(lower, other.lower), std::max(upper, other.upper)};
}

MagnitudeRange MagnitudeRange::meet(MagnitudeRange other) const {
  MagnitudeRange both{std::max(lower, other.lower),
                      std::min(upper, other.upper)};
  return both.isZero() ? zero() : both;
}

MagnitudeRange MagnitudeRange::withoutLower() const {
  return isZero() ? *this : upTo(upper);
}

MagnitudeRange MagnitudeRange::operator+(MagnitudeRange other) const {
  if (isZero())
    return other;
  if (other.isZero())
    return *this;
  double more = std::max(upper, other.upper);
  if (more == kInfinity)
    return {};
  double less = std::min(upper, other.upper);
  return upTo(more + std::log1p(std::exp2(less - more)) / std::log(2.0));
}

MagnitudeRange MagnitudeRange::operator*(MagnitudeRange other) const {
  if (isZero() || other.isZero())
    return zero();
  return {lower + other.lower, upper + other.upper};
}

MagnitudeRange MagnitudeRange::operator/(MagnitudeRange other) const {
  // A quotient by zero is not finite.
  if (isZero() || other.isZero())
    return zero();
  return {lower - other.upper, upper - other.lower};
}

MagnitudeRange MagnitudeRange::power(double exponent) const {
  if (isZero())
    return zero();
  return {lower * exponent, upper * exponent};
}

MagnitudeRange MagnitudeRange::sumOf(int64_t count, double error) const {
  if (isZero() || count == 0)
    return zero();
  if (count == 1)
    return *this;
  // (1 + error)^count bounds the rounding errors of any order (Higham, Accuracy
  // and Stability of Numerical Algorithms, section 4.2).
  double terms = double(count);
  return upTo(upper + std::log2(terms) +
              terms * std::log1p(error) / std::log(2.0));
}

MagnitudeRange MagnitudeRange::inexact(double error) const {
  if (isZero())
    return *this;
  double log2 = std::log1p(error) / std::log(2.0);
  return {lower - 2 * log2, upper + log2};
}

MagnitudeRange MagnitudeRange::roundedTo(Type type) const {
  auto shaped = dyn_cast<ShapedType>(type);
  if (shaped && shaped.hasStaticShape() && shaped.getNumElements() == 0)
    return zero();
  if (isZero())
    return zero();
  MagnitudeRange all = ofType(type);
  auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  // What does not fit an integer is cut off.
  if (!floatType)
    return upper > all.upper ? all : meet(all);
  // Rounding is monotonic: it leaves results on their side of every number that
  // the type has, such as powers of two.
  MagnitudeRange rounded{std::floor(lower), upper};
  double digits = APFloat::semanticsPrecision(floatType.getFloatSemantics());
  double next = std::ceil(upper);
  if (upper < all.lower + digits) {
    // Subnormal numbers are as far apart as the least of them is from 0.
    rounded.upper = next;
  } else if (digits > 30) {
    // The bound itself is only a double.
    rounded.upper += 0x1p-40;
  } else {
    double error = 1.01 * std::exp2(-digits);
    rounded.upper = std::min(next, upper + std::log1p(error) / std::log(2.0));
  }
  // Results beyond the type are its least or largest number if they are finite
  // and not zero at all.
  if (rounded.upper < all.lower)
    return {all.lower, all.lower};
  if (rounded.lower > all.upper)
    return {all.upper, all.upper};
  return rounded.meet(all);
}

std::string MagnitudeRange::str() const {
  if (isZero())
    return "0";
  auto digits = [](double number) {
    std::string text = llvm::formatv("{0:F2}", number);
    StringRef trimmed = StringRef(text).rtrim('0').rtrim('.');
    return trimmed == "-0" ? std::string("0") : trimmed.str();
  };
  std::string least = digits(std::floor(lower * 100) / 100),
              largest = digits(std::ceil(upper * 100) / 100);
  if (!std::isfinite(upper))
    return "any";
  if (!std::isfinite(lower))
    return "<= 2^" + largest;
  if (least == largest)
    return "2^" + least;
  return "2^" + least + " to 2^" + largest;
}
