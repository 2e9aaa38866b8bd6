// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/OneHotFacts.h"

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

using Kind = Term::Kind;

/// Numbers that terms may be about; what exceeds them is not known.
static constexpr unsigned kWidth = 40;

bool mlir::te::isExact(Type type, int64_t number) {
  type = getElementTypeOrSelf(type);
  if (auto real = dyn_cast<FloatType>(type))
    return number <= int64_t(1) << std::min(kWidth, real.getFPMantissaWidth());
  const unsigned width =
      isa<IntegerType>(type) ? type.getIntOrFloatBitWidth() : 64;
  return number <=
         (width == 1 ? 1 : (int64_t(1) << std::min(kWidth, width - 1)) - 1);
}

/// Whether a type has a term's numbers, of counts of at most `rows` rows.
static bool holds(Type type, const Term &term, int64_t rows) {
  if (term.kind == Kind::Any)
    return true;
  if (term.kind == Kind::Lowest) {
    auto real = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return real && APFloat::semanticsHasInf(real.getFloatSemantics());
  }
  const int64_t most = term.kind == Kind::Count ? rows : term.size;
  return isExact(type, std::abs(term.number) + most);
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

namespace {
/// Rows with first <= s < end, at the position s + hit; if there is no hit, at
/// a position that no fact names.
struct Case {
  int64_t first, end;
  std::optional<int64_t> hit;
};

/// How two numbers may compare: the bits of ordered arith::CmpFPredicates.
enum Order : unsigned { Equal = 1, Greater = 2, Less = 4 };
} // namespace

static std::pair<int64_t, int64_t> getRange(const Term &term,
                                            const Case &where) {
  switch (term.kind) {
  case Kind::Any:
    return {INT64_MIN, INT64_MAX};
  case Kind::Lowest:
    return {INT64_MIN, INT64_MIN};
  case Kind::Number:
    return {term.number, term.number};
  case Kind::Count:
    return {where.first + term.number, where.end - 1 + term.number};
  case Kind::Position:
    return {term.number, term.number + term.size - 1};
  }
  llvm_unreachable("a term");
}

/// The position, as an offset to s, where a count and a position are equal.
static std::optional<int64_t> getHit(const Term &a, const Term &b) {
  if (a.kind == Kind::Count && b.kind == Kind::Position)
    return a.number - b.number;
  if (a.kind == Kind::Position && b.kind == Kind::Count)
    return b.number - a.number;
  return std::nullopt;
}

static unsigned getOrders(const Term &a, const Term &b, const Case &where) {
  if (a.kind == Kind::Any || b.kind == Kind::Any)
    return Less | Equal | Greater;
  if (a.kind == b.kind && a.loop == b.loop)
    return a.number < b.number ? Less : a.number > b.number ? Greater : Equal;
  const std::optional<int64_t> hit = getHit(a, b);
  if (hit && hit == where.hit)
    return Equal;
  auto [aLeast, aMost] = getRange(a, where);
  auto [bLeast, bMost] = getRange(b, where);
  return (aLeast < bMost ? Less : 0) | (aMost > bLeast ? Greater : 0) |
         (!hit && aLeast <= bMost && aMost >= bLeast ? Equal : 0);
}

/// The orders in which a comparison holds; nullopt of other ops.
static std::optional<unsigned> getHolding(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    // Those that are not ordered follow; no known number is a NaN.
    const auto predicate = unsigned(compare.getPredicate());
    const auto last = unsigned(arith::CmpFPredicate::ORD);
    const unsigned holding = predicate > last ? predicate - last : predicate;
    return holding > 0 && holding < last ? std::optional(holding)
                                         : std::nullopt;
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return std::nullopt;
  static_assert(unsigned(arith::CmpIPredicate::ne) == 1 &&
                unsigned(arith::CmpIPredicate::slt) == 2 &&
                unsigned(arith::CmpIPredicate::sge) == 5);
  static constexpr unsigned kHolding[] = {
      Equal, Less | Greater, Less, Less | Equal, Greater, Greater | Equal};
  // Truth values are negative as signed numbers.
  const bool isTruth = getElementTypeOrSelf(compare.getLhs()).isInteger(1);
  const auto predicate = unsigned(compare.getPredicate());
  return predicate < (isTruth ? 2 : std::size(kHolding))
             ? std::optional(kHolding[predicate])
             : std::nullopt;
}

static Term add(const Term &a, const Term &b, int64_t sign) {
  if (a.kind == Kind::Lowest)
    return b.kind == Kind::Lowest && sign < 0 ? Term() : a;
  if (b.kind == Kind::Lowest)
    return sign < 0 ? Term() : b;
  if (b.kind == Kind::Number && a.kind != Kind::Any) {
    Term sum = a;
    sum.number += sign * b.number;
    return sum;
  }
  return a.kind == Kind::Number && sign > 0 && b.kind != Kind::Any
             ? add(b, a, sign)
             : Term();
}

static Term multiply(const Term &a, const Term &b) {
  if (a.kind == Kind::Lowest || b.kind == Kind::Lowest)
    return {};
  if (a.is(0) || b.is(1))
    return a;
  if (b.is(0) || a.is(1))
    return b;
  int64_t product;
  return a.kind == Kind::Number && b.kind == Kind::Number &&
                 !llvm::MulOverflow(a.number, b.number, product)
             ? Term::of(product)
             : Term();
}

/// The result of an op on numbers.
static Term foldTerms(Operation *op, ArrayRef<Term> x, const Case &where) {
  const bool fromTruth = getElementTypeOrSelf(op->getOperand(0)).isInteger(1);
  const bool isTruth = getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  // Signed truth values are negative, and so may others be.
  if (isa<arith::ExtUIOp, arith::UIToFPOp>(op))
    return fromTruth ? x[0] : Term();
  if (isa<arith::ExtSIOp, arith::SIToFPOp>(op))
    return fromTruth ? Term() : x[0];
  if (isa<arith::TruncIOp>(op))
    return isTruth ? Term() : x[0];
  // Rounding makes another number of one that is not known.
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::FPToSIOp>(op))
    return x[0];
  auto activation = dyn_cast<ActivationOp>(op);
  if (isa<math::ExpOp>(op) || (activation && op->getNumOperands() == 1 &&
                               activation.getKind() == ActivationKind::Sigmoid))
    return x[0].kind == Kind::Lowest ? Term::of(0) : Term();
  if (isa<arith::SelectOp>(op)) {
    if (x[0].kind == Kind::Number)
      return x[0].is(0) ? x[2] : x[1];
    return x[1] == x[2] ? x[1] : Term();
  }
  if (std::optional<unsigned> holding = getHolding(op)) {
    if (x[0].kind == Kind::Any || x[1].kind == Kind::Any)
      return {};
    const unsigned orders = getOrders(x[0], x[1], where);
    if ((orders & *holding) == orders)
      return Term::of(1);
    return (orders & *holding) == 0 ? Term::of(0) : Term();
  }
  if (isTruth ? isa<arith::AndIOp, arith::MulIOp>(op)
              : isa<arith::MulIOp, arith::MulFOp>(op))
    return multiply(x[0], x[1]);
  const bool isMost =
      isTruth ? isa<arith::OrIOp>(op)
              : isa<arith::MaxSIOp, arith::MaximumFOp, arith::MaxNumFOp>(op);
  if (isMost ||
      (!isTruth &&
       isa<arith::MinSIOp, arith::MinimumFOp, arith::MinNumFOp>(op))) {
    const unsigned orders = getOrders(x[0], x[1], where);
    if (orders & Less && orders & Greater)
      return {};
    return x[((orders & Less) != 0) == isMost];
  }
  if (isTruth)
    return {};
  if (isa<arith::AddIOp, arith::AddFOp>(op))
    return add(x[0], x[1], 1);
  if (isa<arith::SubIOp, arith::SubFOp>(op))
    return add(x[0], x[1], -1);
  if (isa<arith::DivFOp>(op) &&
      (x[1].is(1) || (x[0].is(0) && !x[1].is(0) && x[1].kind != Kind::Lowest)))
    return x[0];
  return {};
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// What a fact says in a case, of which its own conditions tell no parts apart.
static Term at(const Fact &fact, const Case &where) {
  if (where.first >= fact.below)
    return fact.beyond;
  return fact.hit && fact.hit != where.hit ? fact.miss : fact.inner;
}

Fact mlir::te::foldFacts(Operation *op, ArrayRef<Fact> operands, int64_t rows) {
  // Where operands change, or how they compare.
  SmallVector<int64_t> bounds{Fact::kAlways};
  SmallVector<std::optional<int64_t>> hits{std::nullopt};
  auto addHit = [&](std::optional<int64_t> hit) {
    if (!llvm::is_contained(hits, hit))
      hits.push_back(hit);
  };
  for (const Fact &fact : operands) {
    bounds.push_back(fact.below);
    addHit(fact.hit);
  }
  if (getHolding(op)) {
    const Term &a = operands[0].inner, &b = operands[1].inner;
    addHit(getHit(a, b));
    for (auto [count, number] : {std::pair(a, b), std::pair(b, a)})
      if (count.kind == Kind::Count && number.kind == Kind::Number)
        for (int64_t more : {0, 1})
          if (int64_t bound = number.number - count.number + more; bound > 1)
            bounds.push_back(bound);
  }
  llvm::sort(bounds);
  bounds.erase(llvm::unique(bounds), bounds.end());

  // A result for each hit, up to each bound.
  SmallVector<SmallVector<Term>> table;
  int64_t first = 1;
  for (int64_t end : bounds) {
    SmallVector<Term> &results = table.emplace_back();
    for (std::optional<int64_t> hit : hits) {
      const Case where{first, end, hit};
      Term result = foldTerms(
          op,
          llvm::map_to_vector(
              operands, [&](const Fact &fact) { return at(fact, where); }),
          where);
      results.push_back(
          holds(op->getResult(0).getType(), result, rows) ? result : Term());
    }
    first = end;
  }

  // One bound and one hit tell the results apart, or they are not known.
  Fact fact(table[0][0]);
  fact.miss = table[0][0];
  for (size_t i = 1; i < hits.size(); ++i) {
    if (table[0][i] == table[0][0])
      continue;
    if (fact.hit)
      return {};
    fact.hit = hits[i];
    fact.inner = table[0][i];
  }
  auto *changed = llvm::find_if(
      table, [&](const auto &results) { return results != table[0]; });
  if (changed == table.end())
    return fact;
  fact.below = bounds[changed - table.begin() - 1];
  fact.beyond = changed->front();
  for (auto *results = changed; results != table.end(); ++results)
    if (!llvm::all_equal(*results) || results->front() != fact.beyond)
      fact.beyond = {};
  return fact;
}
