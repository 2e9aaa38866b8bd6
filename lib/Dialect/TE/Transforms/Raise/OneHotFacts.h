// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the numbers in the masks by which mixtures of experts are
// written as einsums: numbers that do not depend on data, and counts of rows.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ONEHOTFACTS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ONEHOTFACTS_H

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <optional>

namespace mlir::te {

/// What is known of one element that belongs to a row and an expert. `s` is the
/// number of rows of that expert up to this one, which is counted: at least 1.
/// The element is `term` where s < below and, if there is a `hit`, the position
/// in the expert's capacity is s + hit; `miss` where s < below and the position
/// is another; and `beyond` where s >= below.
struct Fact {
  enum class Term {
    /// Any finite number.
    Any,
    /// Minus infinity.
    Lowest,
    /// `number`, an integer.
    Number,
    /// s + number.
    Count,
    /// The position along the loop `loop`, of `size`, + number.
    Position
  };
  static constexpr int64_t kAlways = INT64_MAX;

  Term term = Term::Any;
  int64_t number = 0;
  unsigned loop = 0;
  int64_t size = 0;
  int64_t below = kAlways;
  std::optional<int64_t> hit;
  int64_t miss = 0;
  std::optional<int64_t> beyond;

  static Fact of(int64_t number) {
    Fact fact;
    fact.term = Term::Number;
    fact.number = number;
    return fact;
  }
  static Fact lowest() {
    Fact fact;
    fact.term = Term::Lowest;
    return fact;
  }
  static Fact count() {
    Fact fact;
    fact.term = Term::Count;
    return fact;
  }

  bool isConditional() const { return below != kAlways || hit; }
  bool is(int64_t value) const {
    return !isConditional() && term == Term::Number && number == value;
  }
  /// True if the element is zero wherever the conditions do not hold.
  bool isZeroElsewhere() const {
    return isConditional() && (!hit || miss == 0) &&
           (below == kAlways || beyond == 0);
  }
  /// The largest number that the fact relies on, of at most `rows` rows.
  int64_t getMagnitude(int64_t rows) const;
};

/// True if a type has all integers up to a number.
bool isExact(Type type, int64_t number);

/// What is known of the result of an op, on scalars or element by element.
/// Counts have no more than `rows` rows.
Fact foldFacts(Operation *op, ArrayRef<Fact> operands, int64_t rows);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ONEHOTFACTS_H
