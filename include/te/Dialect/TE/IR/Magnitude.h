// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds on the absolute values of a tensor's elements, and the arithmetic with
// which ops derive them (RangeOpInterface).

#ifndef TE_DIALECT_TE_IR_MAGNITUDE_H
#define TE_DIALECT_TE_IR_MAGNITUDE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <limits>

namespace mlir {
class Attribute;
class Type;
} // namespace mlir

namespace mlir::te {

/// A promise about a value: every element that is finite and not zero has an
/// absolute value in [2^lower, 2^upper]. Zeros, infinities and NaN are never
/// excluded. Both bounds are log2; upper < lower if no element is finite and
/// not zero.
///
/// The functions below are about exact arithmetic. roundedTo() makes a bound of
/// an exact result one of the result that is stored in a type.
struct MagnitudeRange {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// Of values that have no element that is finite and not zero.
  static MagnitudeRange zero();
  /// Of one number.
  static MagnitudeRange of(double number);
  /// |x| <= 2^log2.
  static MagnitudeRange upTo(double log2);
  /// What the element type alone promises: its least and its largest positive
  /// number. i1 is 0 or 1; other integers are signed. Everything for types that
  /// hold no numbers.
  static MagnitudeRange ofType(Type type);
  /// Of a constant's elements, which are looked at one by one; everything for
  /// attributes without numbers, and for resources that are not loaded.
  static MagnitudeRange ofAttribute(Attribute attribute);

  bool isZero() const { return upper < lower; }
  bool operator==(const MagnitudeRange &other) const {
    return lower == other.lower && upper == other.upper;
  }

  /// Of values that are one or the other, element by element.
  MagnitudeRange join(MagnitudeRange other) const;
  /// Of values of which both are true.
  MagnitudeRange meet(MagnitudeRange other) const;
  MagnitudeRange operator+(MagnitudeRange other) const; ///< and of differences
  MagnitudeRange operator*(MagnitudeRange other) const;
  MagnitudeRange operator/(MagnitudeRange other) const;
  MagnitudeRange operator*(double factor) const { return *this * of(factor); }
  MagnitudeRange operator/(double divisor) const { return *this / of(divisor); }
  /// Of |x|^exponent, for exponents that are positive.
  MagnitudeRange power(double exponent) const;

  /// Of sums of `count` elements, added in any order by operations with the
  /// given relative error.
  MagnitudeRange sumOf(int64_t count, double error = kFloat32) const;
  /// Of results of formulas with a few operations of such an error.
  MagnitudeRange inexact(double error = kFormula) const;
  /// Of the same numbers, without the lower bound.
  MagnitudeRange withoutLower() const;

  /// Of results that are rounded to nearest in the element type of `type`.
  /// Integers that do not fit may be any of the type.
  MagnitudeRange roundedTo(Type type) const;

  /// The relative error of an operation in float32.
  static constexpr double kFloat32 = 0x1p-24;
  /// That of a formula in float32: 256 times as much.
  static constexpr double kFormula = 0x1p-16;
  /// That of the sums of FP8 tensor cores under fast accumulation, which keep
  /// 13 bits behind the point.
  static constexpr double kFastSum = 0x1p-13;
  /// That of attention, whose probabilities kernels hold in bf16.
  static constexpr double kProbability = 0x1p-7;

  /// "0", "<= 2^3.5", "2^-9 to 2^8.81", each rounded outwards to two digits.
  std::string str() const;
};

/// What RangeOpInterface works with: the bounds of values, and where those of
/// results go.
class RangeInference {
public:
  RangeInference(llvm::function_ref<MagnitudeRange(Value)> get,
                 llvm::function_ref<void(Value, MagnitudeRange)> put)
      : get(get), put(put) {}

  /// That of an operand; zero for an optional one that is not there.
  MagnitudeRange of(Value operand) const {
    return operand ? get(operand) : MagnitudeRange::zero();
  }
  /// Sets that of an exact result, which is then rounded to the result's type.
  /// Null results are ignored, and those that are not set have that of their
  /// type.
  void set(Value result, MagnitudeRange range) {
    if (result)
      put(result, range.roundedTo(result.getType()));
  }
  /// Sets that of a result whose elements need no rounding.
  void keep(Value result, MagnitudeRange range) {
    if (result)
      put(result, range.meet(MagnitudeRange::ofType(result.getType())));
  }

private:
  llvm::function_ref<MagnitudeRange(Value)> get;
  llvm::function_ref<void(Value, MagnitudeRange)> put;
};

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_MAGNITUDE_H
