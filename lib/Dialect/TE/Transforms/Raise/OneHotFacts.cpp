// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/OneHotFacts.h"

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

using Term = Fact::Term;

/// Numbers that facts may be about; what exceeds them is not known.
static constexpr int64_t kLargest = int64_t(1) << 40;

int64_t Fact::getMagnitude(int64_t rows) const {
  int64_t largest = 0;
  if (term == Term::Number)
    largest = std::abs(number);
  else if (term == Term::Count)
    largest = std::abs(number) + rows;
  if (hit)
    largest = std::max(largest, std::abs(miss));
  if (beyond)
    largest = std::max(largest, std::abs(*beyond));
  return largest;
}

bool mlir::te::isExact(Type type, int64_t number) {
  constexpr unsigned kWidth = 40; // of kLargest
  type = getElementTypeOrSelf(type);
  if (auto real = dyn_cast<FloatType>(type))
    return number <= int64_t(1) << std::min(kWidth, real.getFPMantissaWidth());
  unsigned width = type.isIntOrIndex() && !type.isIndex()
                       ? type.getIntOrFloatBitWidth()
                       : 64;
  return number <=
         (width == 1 ? 1 : (int64_t(1) << std::min(kWidth, width - 1)) - 1);
}

//===----------------------------------------------------------------------===//
// Facts without conditions
//===----------------------------------------------------------------------===//

namespace {
enum class Predicate { EQ, NE, LT, LE, GT, GE };
enum class Kind { Add, Sub, Mul, Div, Max, Min, Compare };

/// What an op computes of two numbers.
struct Binary {
  static std::optional<Binary> get(Operation *op);
  Fact fold(const Fact &a, const Fact &b) const;

  Kind kind;
  Predicate predicate = Predicate::EQ;

private:
  Fact compare(const Fact &a, const Fact &b) const;
};
} // namespace

static std::optional<Predicate> getPredicate(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    // Truth values are negative as signed numbers.
    bool isTruth = getElementTypeOrSelf(compare.getLhs()).isInteger(1);
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::eq:
      return Predicate::EQ;
    case arith::CmpIPredicate::ne:
      return Predicate::NE;
    case arith::CmpIPredicate::slt:
      return isTruth ? std::nullopt : std::optional(Predicate::LT);
    case arith::CmpIPredicate::sle:
      return isTruth ? std::nullopt : std::optional(Predicate::LE);
    case arith::CmpIPredicate::sgt:
      return isTruth ? std::nullopt : std::optional(Predicate::GT);
    case arith::CmpIPredicate::sge:
      return isTruth ? std::nullopt : std::optional(Predicate::GE);
    default:
      return std::nullopt;
    }
  }
  switch (cast<arith::CmpFOp>(op).getPredicate()) {
  case arith::CmpFPredicate::OEQ:
  case arith::CmpFPredicate::UEQ:
    return Predicate::EQ;
  case arith::CmpFPredicate::ONE:
  case arith::CmpFPredicate::UNE:
    return Predicate::NE;
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::ULT:
    return Predicate::LT;
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::ULE:
    return Predicate::LE;
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::UGT:
    return Predicate::GT;
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::UGE:
    return Predicate::GE;
  default:
    return std::nullopt;
  }
}

std::optional<Binary> Binary::get(Operation *op) {
  bool isTruth = op->getNumResults() == 1 &&
                 getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  if (isa<arith::CmpIOp, arith::CmpFOp>(op)) {
    std::optional<Predicate> predicate = getPredicate(op);
    return predicate ? std::optional(Binary{Kind::Compare, *predicate})
                     : std::nullopt;
  }
  if (isa<arith::AndIOp>(op))
    return isTruth ? std::optional(Binary{Kind::Mul}) : std::nullopt;
  if (isa<arith::OrIOp>(op))
    return isTruth ? std::optional(Binary{Kind::Max}) : std::nullopt;
  if (isa<arith::MulIOp>(op))
    return Binary{Kind::Mul};
  if (isTruth)
    return std::nullopt;
  if (isa<arith::AddIOp, arith::AddFOp>(op))
    return Binary{Kind::Add};
  if (isa<arith::SubIOp, arith::SubFOp>(op))
    return Binary{Kind::Sub};
  if (isa<arith::MulFOp>(op))
    return Binary{Kind::Mul};
  if (isa<arith::DivFOp>(op))
    return Binary{Kind::Div};
  if (isa<arith::MaxSIOp, arith::MaximumFOp, arith::MaxNumFOp>(op))
    return Binary{Kind::Max};
  if (isa<arith::MinSIOp, arith::MinimumFOp, arith::MinNumFOp>(op))
    return Binary{Kind::Min};
  return std::nullopt;
}

static bool holds(Predicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case Predicate::EQ:
    return a == b;
  case Predicate::NE:
    return a != b;
  case Predicate::LT:
    return a < b;
  case Predicate::LE:
    return a <= b;
  case Predicate::GT:
    return a > b;
  case Predicate::GE:
    return a >= b;
  }
  llvm_unreachable("a predicate");
}

Fact Binary::compare(const Fact &a, const Fact &b) const {
  if (a.term == Term::Number && b.term == Term::Number)
    return Fact::of(holds(predicate, a.number, b.number));
  auto swapped = [&] {
    switch (predicate) {
    case Predicate::LT:
      return Predicate::GT;
    case Predicate::LE:
      return Predicate::GE;
    case Predicate::GT:
      return Predicate::LT;
    case Predicate::GE:
      return Predicate::LE;
    default:
      return predicate;
    }
  };
  if (a.term == Term::Position ||
      (a.term == Term::Number && b.term == Term::Count))
    return b.term == Term::Position ? Fact()
                                    : Binary{kind, swapped()}.compare(b, a);
  const bool isEquality =
      predicate == Predicate::EQ || predicate == Predicate::NE;
  if (b.term == Term::Position && isEquality) {
    const bool equal = predicate == Predicate::EQ;
    if (a.term == Term::Count) {
      Fact fact = Fact::of(equal);
      fact.hit = a.number - b.number;
      fact.miss = !equal;
      return fact;
    }
    if (a.term == Term::Number &&
        (a.number < b.number || a.number >= b.number + b.size))
      return Fact::of(!equal);
    return Fact();
  }
  if (a.term != Term::Count || b.term != Term::Number || isEquality)
    return Fact();
  // Counts less than `below` satisfy it, or do not.
  int64_t below = b.number - a.number;
  if (predicate == Predicate::LE || predicate == Predicate::GT)
    ++below;
  const bool isLess = predicate == Predicate::LT || predicate == Predicate::LE;
  if (below <= 1)
    return Fact::of(!isLess);
  Fact fact = Fact::of(isLess);
  fact.below = below;
  fact.beyond = !isLess;
  return fact;
}

/// Of facts without conditions; that of a comparison may have some.
Fact Binary::fold(const Fact &a, const Fact &b) const {
  if (kind == Kind::Compare)
    return compare(a, b);
  const bool aIsLowest = a.term == Term::Lowest,
             bIsLowest = b.term == Term::Lowest;
  if (aIsLowest || bIsLowest) {
    if (aIsLowest && bIsLowest)
      return kind == Kind::Add || kind == Kind::Max ? a : Fact();
    if (kind == Kind::Max)
      return aIsLowest ? b : a;
    return kind == Kind::Add || (kind == Kind::Sub && aIsLowest)
               ? Fact::lowest()
               : Fact();
  }
  const bool isZero = a.is(0) || (b.is(0) && kind != Kind::Div);
  if ((kind == Kind::Mul || kind == Kind::Div) && isZero)
    return Fact::of(0);
  auto moved = [](Fact fact, int64_t by) {
    fact.number += by;
    return fact;
  };
  auto isNumber = [](const Fact &fact) { return fact.term == Term::Number; };
  auto isMoving = [](const Fact &fact) {
    return fact.term == Term::Count || fact.term == Term::Position;
  };
  const bool both = isNumber(a) && isNumber(b);
  switch (kind) {
  case Kind::Add:
    if (both || (isMoving(a) && isNumber(b)))
      return moved(a, b.number);
    if (isNumber(a) && isMoving(b))
      return moved(b, a.number);
    break;
  case Kind::Sub:
    if (both || (isMoving(a) && isNumber(b)))
      return moved(a, -b.number);
    break;
  case Kind::Mul:
    if (both && std::abs(a.number) < kLargest &&
        std::abs(b.number) <= (int64_t(1) << 20))
      return Fact::of(a.number * b.number);
    if (a.is(1))
      return b;
    if (b.is(1))
      return a;
    break;
  case Kind::Div:
    if (b.is(1))
      return a;
    break;
  case Kind::Max:
    if (both)
      return Fact::of(std::max(a.number, b.number));
    if (a.term == Term::Count && isNumber(b) && b.number <= a.number + 1)
      return a;
    if (b.term == Term::Count && isNumber(a) && a.number <= b.number + 1)
      return b;
    break;
  case Kind::Min:
    if (both)
      return Fact::of(std::min(a.number, b.number));
    break;
  case Kind::Compare:
    break;
  }
  return Fact();
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The fact where all conditions hold.
static Fact getInner(Fact fact) {
  fact.below = Fact::kAlways;
  fact.hit = std::nullopt;
  fact.beyond = std::nullopt;
  fact.miss = 0;
  return fact;
}

static std::optional<int64_t> getNumber(const Fact &fact) {
  if (fact.isConditional() || fact.term != Term::Number)
    return std::nullopt;
  return fact.number;
}

/// A fact under the conditions of `outer`, with its other numbers.
static Fact nest(Fact outer, const Fact &inner) {
  if (outer.hit && inner.hit)
    return Fact();
  Fact fact = inner;
  if (outer.hit) {
    fact.hit = outer.hit;
    fact.miss = outer.miss;
    // A smaller bound inside would also bound where the position is another.
    if (inner.below < outer.below)
      return Fact();
  }
  if (outer.below <= inner.below) {
    fact.below = outer.below;
    fact.beyond = outer.beyond;
  } else if (outer.below != Fact::kAlways && inner.beyond != outer.beyond) {
    fact.beyond = std::nullopt;
  }
  return fact;
}

using FoldPlain = llvm::function_ref<Fact(const Fact &, const Fact &)>;

/// Folds two facts with conditions. `zeroes` if zero and any number give zero.
static Fact foldConditional(const Fact &a, const Fact &b, bool zeroes,
                            FoldPlain fold) {
  if (!a.isConditional() && !b.isConditional())
    return fold(a, b);
  Fact outer;
  outer.below = std::min(a.below, b.below);
  // Behind the smaller bound, the other may be either.
  if (outer.below != Fact::kAlways) {
    auto behind = [&](const Fact &fact) -> Fact {
      if (fact.below == outer.below)
        return fact.beyond ? Fact::of(*fact.beyond) : Fact();
      return fact.isConditional() ? Fact() : fact;
    };
    outer.beyond = getNumber(fold(behind(a), behind(b)));
  }
  if (a.hit && b.hit && *a.hit != *b.hit) {
    if (!zeroes || a.miss != 0)
      return Fact();
    outer.hit = a.hit;
    return outer;
  }
  Fact inner = fold(getInner(a), getInner(b));
  if (a.hit || b.hit) {
    auto missed = [](const Fact &fact) {
      return fact.hit ? Fact::of(fact.miss) : getInner(fact);
    };
    std::optional<int64_t> miss = getNumber(fold(missed(a), missed(b)));
    if (!miss) {
      // Nothing is known of either.
      inner = Fact();
    } else {
      outer.hit = a.hit ? a.hit : b.hit;
      outer.miss = *miss;
    }
  }
  return nest(outer, inner);
}

/// Where the condition is 1 one fact, and where it is 0 the other.
static Fact foldSelect(const Fact &condition, const Fact &a, const Fact &b) {
  if (condition.is(1))
    return a;
  if (condition.is(0))
    return b;
  std::optional<int64_t> other = getNumber(b);
  // Zero but under the condition.
  if (other == 0 && condition.isZeroElsewhere()) {
    Fact inner = condition;
    return foldConditional(inner, a, /*zeroes=*/true,
                           [](const Fact &x, const Fact &y) {
                             if (x.is(0) || y.is(0))
                               return Fact::of(0);
                             return x.is(1) ? y : Fact();
                           });
  }
  return Fact();
}

/// True of a function of one number that is zero for minus infinity.
static bool isVanishing(Operation *op) {
  auto activation = dyn_cast<ActivationOp>(op);
  return isa<math::ExpOp>(op) ||
         (activation && op->getNumOperands() == 1 &&
          activation.getKind() == ActivationKind::Sigmoid);
}

Fact mlir::te::foldFacts(Operation *op, ArrayRef<Fact> operands, int64_t rows) {
  Fact fact;
  if (isa<arith::ExtUIOp, arith::UIToFPOp>(op)) {
    // Of truth values; others may be negative.
    if (getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
      fact = operands[0];
  } else if (isa<arith::ExtSIOp, arith::SIToFPOp>(op)) {
    if (!getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
      fact = operands[0];
  } else if (isa<arith::TruncIOp>(op)) {
    if (!getElementTypeOrSelf(op->getResult(0)).isInteger(1))
      fact = operands[0];
  } else if (isa<arith::ExtFOp, arith::TruncFOp, arith::FPToSIOp>(op)) {
    fact = operands[0];
    // Rounding makes another number of one that is not known.
  } else if (isVanishing(op)) {
    if (!operands[0].isConditional() && operands[0].term == Term::Lowest)
      fact = Fact::of(0);
  } else if (isa<arith::SelectOp>(op)) {
    fact = foldSelect(operands[0], operands[1], operands[2]);
  } else if (std::optional<Binary> binary = Binary::get(op)) {
    fact = foldConditional(
        operands[0], operands[1], binary->kind == Kind::Mul,
        [&](const Fact &a, const Fact &b) { return binary->fold(a, b); });
  }
  int64_t largest = fact.getMagnitude(rows);
  if (fact.term == Term::Position)
    largest = std::abs(fact.number) + fact.size;
  return isExact(op->getResult(0).getType(), largest) ? fact : Fact();
}
