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

/// A number that belongs to a row and an expert. `s` is the number of rows of
/// that expert up to this one, which is counted: at least 1.
struct Term {
  enum class Kind {
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

  Kind kind = Kind::Any;
  int64_t number = 0;
  unsigned loop = 0;
  int64_t size = 0;

  static Term of(int64_t number) { return {Kind::Number, number}; }

  bool is(int64_t value) const {
    return kind == Kind::Number && number == value;
  }
  bool operator==(const Term &other) const {
    return kind == other.kind && number == other.number && loop == other.loop &&
           size == other.size;
  }
  bool operator!=(const Term &other) const { return !(*this == other); }
};

/// What is known of one element: it is `inner` where s < below and, if there is
/// a `hit`, the position in the expert's capacity is s + hit; `miss` where
/// s < below and the position is another; and `beyond` where s >= below.
struct Fact {
  static constexpr int64_t kAlways = int64_t(1) << 60;

  Term inner, miss, beyond;
  int64_t below = kAlways;
  std::optional<int64_t> hit;

  Fact() = default;
  Fact(Term term) : inner(term) {}

  bool isConditional() const { return below != kAlways || hit; }
  /// The number that the element is under all conditions, or any.
  Term getTerm() const { return isConditional() ? Term() : inner; }
  bool is(int64_t value) const { return getTerm().is(value); }
  /// True if the element is zero wherever the conditions do not hold.
  bool isZeroElsewhere() const {
    return isConditional() && (!hit || miss.is(0)) &&
           (below == kAlways || beyond.is(0));
  }
};

/// True if a type has all integers up to a number.
bool isExact(Type type, int64_t number);

/// What is known of the result of an op, on scalars or element by element.
/// Counts have no more than `rows` rows.
Fact foldFacts(Operation *op, ArrayRef<Fact> operands, int64_t rows);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ONEHOTFACTS_H
