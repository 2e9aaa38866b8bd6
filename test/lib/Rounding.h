// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an evaluation in float64 does to every number that an op computes.

#ifndef TE_TEST_LIB_ROUNDING_H
#define TE_TEST_LIB_ROUNDING_H

#include "llvm/ADT/bit.h"

#include <cstdint>

namespace mlir::te::test {

/// Random relative errors, as in stochastic arithmetic (Vignes): the spread of
/// a few evaluations with errors of a format's unit roundoff is what a program
/// in that format may be off by, however badly conditioned the graph is. As in
/// a program, equal numbers that one op computes are rounded to equal numbers:
/// a row of one value stays one.
struct Rounding {
  Rounding() = default;
  Rounding(double relative, uint64_t stream = 0, bool toFloat = false)
      : relative(relative), stream(stream), toFloat(toFloat) {}

  /// Largest relative error; 0 changes nothing.
  double relative = 0;
  /// Selects the errors.
  uint64_t stream = 0;
  /// Numbers are held in float32: what is too large becomes infinity, what is
  /// too small zero.
  bool toFloat = false;
  /// Every number is moved by up to so much, those of one op by the same: off
  /// the points where functions have kinks.
  double offset = 0;

  /// From here on another op computes.
  void nextOp() { ++op; }

  bool changesNothing() const {
    return relative == 0 && offset == 0 && !toFloat;
  }

  /// The first of the samples rounds to bf16 as programs do, in which close
  /// numbers become equal ones: random errors never make them so.
  bool roundsToBF16() const { return toFloat && stream == 1; }

  /// `value` with an error; \p coarseness is how much larger errors are in the
  /// type that holds it.
  double operator()(double value, double coarseness = 1) {
    if (relative != 0)
      value *= 1 + relative * (toFloat ? coarseness : 1) *
                       uniform(llvm::bit_cast<uint64_t>(value));
    if (offset != 0)
      value += offset * uniform(0);
    return toFloat ? static_cast<double>(static_cast<float>(value)) : value;
  }

  /// bf16 has 8 bits where float32 has 24.
  static constexpr double kBF16 = 0x1p16;

private:
  /// In [-1, 1), by op and stream: Steele, Lea and Flood's SplitMix64.
  double uniform(uint64_t number) const {
    uint64_t z = number ^ (op * 0x9e3779b97f4a7c15ull) ^
                 (stream * 0xd1342543de82ef95ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-52 - 1;
  }

  uint64_t op = 0;
};

} // namespace mlir::te::test

#endif // TE_TEST_LIB_ROUNDING_H
