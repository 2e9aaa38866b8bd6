// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/OneHotMasks.h"

#include "Raise/IntegerSorts.h"
#include "Raise/Matchers.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

using Term = Fact::Term;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

unsigned OneHotMasks::addLoop(int64_t size) {
  same.push_back(sizes.size());
  sizes.push_back(size);
  return sizes.size() - 1;
}

unsigned OneHotMasks::find(unsigned loop) const {
  while (same[loop] != loop)
    loop = same[loop];
  return loop;
}

Digits OneHotMasks::unify(ArrayRef<Digit> digits) const {
  Digits result;
  for (Digit digit : digits) {
    digit.loop = find(digit.loop);
    result.push_back(digit);
  }
  return normalize(result);
}

bool OneHotMasks::isPosition(unsigned loop) const {
  return (positions && loop == *positions) || sliced.contains(loop);
}

bool OneHotMasks::isExperts(unsigned loop) const {
  return experts &&
         (loop == *experts || llvm::any_of(summedExperts, [&](unsigned other) {
            return find(other) == loop;
          }));
}

/// The loop that a dimension walks from its first to its last iteration.
static std::optional<unsigned> getWholeLoop(ArrayRef<Digit> digits,
                                            const OneHotMasks &masks) {
  Digits normal = normalize(digits);
  if (normal.size() != 1 || normal[0].stride != 1 ||
      normal[0].size != masks.getSize(normal[0].loop))
    return std::nullopt;
  return normal[0].loop;
}

bool OneHotMasks::goBefore(LabelledValue &value) {
  if (value.goBeforeView(/*throughCasts=*/false) || value.goBeforeBroadcast())
    return true;
  auto slice = value.value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getSourceType().getRank() != slice.getType().getRank() ||
      !slice.getSourceType().hasStaticShape())
    return false;
  Labels before = value.labels;
  for (auto [dim, size] : llvm::enumerate(slice.getSourceType().getShape())) {
    const int64_t offset = slice.getStaticOffsets()[dim];
    if (slice.getStaticStrides()[dim] != 1 || ShapedType::isDynamic(offset))
      return false;
    if (slice.getType().getDimSize(dim) == size)
      continue;
    std::optional<unsigned> loop = getWholeLoop(before[dim], *this);
    if (!positions || loop != positions)
      return false;
    const unsigned longer = addLoop(size);
    sliced[longer] = offset;
    before[dim] = wholeLoop(longer, size);
  }
  value = {slice.getSource(), before};
  return true;
}

ArrayRef<LabelledValue> OneHotMasks::getInputs(linalg::LinalgOp op,
                                               const Labels &labels) {
  auto &all = inputsOf[op->getResult(0)];
  for (auto &[known, inputs] : all)
    if (known == labels)
      return inputs;
  if (op->getNumResults() != 1 || !op.hasPureTensorSemantics())
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<std::optional<Digits>> loops(op.getNumLoops());
  for (auto [dim, expr] : llvm::enumerate(maps.back().getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || loops[loop.getPosition()])
      return {};
    loops[loop.getPosition()] = labels[dim];
  }
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    if (loops[loop])
      continue;
    if (ShapedType::isDynamic(range))
      return {};
    loops[loop] = wholeLoop(addLoop(range), range);
  }
  SmallVector<LabelledValue, 2> inputs;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    LabelledValue input{operand->get(), {}};
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        return {};
      input.labels.push_back(*loops[loop.getPosition()]);
    }
    inputs.push_back(std::move(input));
  }
  all.emplace_back(labels, std::move(inputs));
  return all.back().second;
}

Digits OneHotMasks::getSums(linalg::LinalgOp op, const Labels &labels) {
  Digits result = flatten(labels), sums;
  for (const LabelledValue &input : getInputs(op, labels))
    for (const Digit &digit : flatten(input.labels))
      if (llvm::none_of(result, [&](const Digit &other) {
            return other.loop == digit.loop;
          })) {
        sums.push_back(digit);
        result.push_back(digit);
      }
  return unify(sums);
}

bool OneHotMasks::hasOneTerm(linalg::GenericOp op, const Labels &labels) const {
  return llvm::any_of(sumsOfOne, [&](const LabelledValue &sum) {
    return sum.value == op.getResult(0) && sum.labels == labels;
  });
}

/// Whether no two loops of the tensors of an op number the same.
bool OneHotMasks::isOneLoop(const LabelledValue &value,
                            ArrayRef<unsigned> reduced) {
  llvm::SmallDenseMap<unsigned, unsigned> byName;
  auto add = [&](unsigned loop) {
    return byName.try_emplace(find(loop), loop).first->second == loop;
  };
  for (const Digits &digits : value.labels)
    for (const Digit &digit : digits)
      if (!add(digit.loop))
        return false;
  return llvm::all_of(reduced, add);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The numbers of which negative ones would count from the end, if there are
/// none; null if a value is no such choice.
static Value skipWrap(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto isNegative =
      select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!isNegative || isNegative.getPredicate() != arith::CmpIPredicate::slt ||
      isNegative.getLhs() != select.getFalseValue())
    return {};
  auto zero =
      dyn_cast_or_null<IntegerAttr>(getRepeatedElement(isNegative.getRhs()));
  return zero && zero.getValue().isZero() &&
                 getUpperBound(select.getFalseValue())
             ? select.getFalseValue()
             : Value();
}

/// Whether the numbers that a mask compares with the experts of `loop` are the
/// choices of all other masks. The first ones are.
bool OneHotMasks::areChoices(LabelledValue ids, unsigned loop) {
  if (loop != experts && find(loop) == find(*experts))
    return false;
  while (true) {
    if (ids.goBeforeView(/*throughCasts=*/false) || ids.goBeforeBroadcast())
      continue;
    if (auto extension = ids.value.getDefiningOp<arith::ExtSIOp>())
      ids.value = extension.getIn();
    else if (Value same = skipWrap(ids.value))
      ids.value = same;
    else
      break;
  }
  if (!getElementTypeOrSelf(ids.value).isSignlessInteger() ||
      getElementTypeOrSelf(ids.value).isInteger(1) ||
      getElementTypeOrSelf(ids.value).getIntOrFloatBitWidth() < 32)
    return false;
  for (const Digits &digits : ids.labels)
    for (const Digit &digit : digits)
      if (digit.loop == loop || digit.loop == *experts ||
          isPosition(digit.loop) || summedExperts.contains(digit.loop))
        return false;
  if (sizes[loop] != sizes[*experts])
    return false;
  if (!choices.value) {
    choices = ids;
  } else {
    if (ids.value != choices.value)
      return false;
    // The same numbers: where loops have other names, they are one.
    SmallVector<std::pair<unsigned, unsigned>> pairs;
    for (auto [mine, others] : llvm::zip(ids.labels, choices.labels)) {
      Digits a = unify(mine), b = unify(others);
      if (a.size() != b.size())
        return false;
      for (auto [x, y] : llvm::zip(a, b)) {
        if (x.size != y.size || x.stride != y.stride ||
            sizes[x.loop] != sizes[y.loop])
          return false;
        pairs.emplace_back(x.loop, y.loop);
      }
    }
    for (auto [x, y] : pairs)
      same[find(x)] = find(y);
  }
  if (loop != *experts)
    summedExperts.insert(loop);
  return true;
}

/// Whether the choices of a row, along a loop, are all different: the positions
/// of its largest numbers.
bool OneHotMasks::areDistinct(unsigned loop) {
  LabelledValue ids = choices;
  SmallVector<Type> types;
  while (true) {
    types.push_back(getElementTypeOrSelf(ids.value));
    if (ids.goBeforeView(/*throughCasts=*/false) || ids.goBeforeBroadcast())
      continue;
    if (!isa_and_present<arith::TruncIOp, arith::ExtSIOp>(
            ids.value.getDefiningOp()))
      break;
    ids.value = ids.value.getDefiningOp()->getOperand(0);
  }
  Operation *op = ids.value.getDefiningOp();
  auto sum = op ? PositionSum::get(op) : std::nullopt;
  if (!sum || !sum->scatters || ids.labels.size() != 3 ||
      tensorShape(sum->ids) != tensorShape(sum->x) ||
      !te::isPosition(evaluator, sum->x, 1) ||
      !llvm::all_of(types, [&](Type type) {
        return isExact(type, tensorDim(sum->x, 1));
      }))
    return false;
  Digits chosen = unify(ids.labels[1]);
  if (chosen.size() != 1 || chosen[0].loop != find(loop) ||
      chosen[0].stride != 1 || chosen[0].size != sizes[loop])
    return false;
  Operation *sort = skipReshapes(sum->ids).getDefiningOp();
  return sort && sortsAlongRows(sort) &&
         tensorShape(sort->getResult(0)) == tensorShape(sum->ids);
}

std::optional<Digits> OneHotMasks::getOrder() const {
  std::optional<Digits> order;
  for (const Digits &digits : orders) {
    Digits unified = unify(digits);
    if (order && *order != unified)
      return std::nullopt;
    order = unified;
  }
  return order;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

Facts OneHotMasks::evaluate(const LabelledValue &value) {
  auto &all = known[value.value];
  for (auto &[labels, facts] : all)
    if (labels == value.labels)
      return facts;
  if (budget == 0)
    return {};
  --budget;
  Facts facts = compute(value);
  if (!isOneLoop(value, {}))
    facts = {};
  known[value.value].emplace_back(value.labels, facts);
  return facts;
}

/// A number that a constant repeats, or the positions along one loop.
std::optional<Fact> OneHotMasks::getConstant(const LabelledValue &value) {
  constexpr int64_t kMost = int64_t(1) << 24;
  RankedTensorType type = tensorType(value.value);
  const int64_t count = type.getNumElements();
  auto elements = count > 0 && count <= kMost
                      ? evaluator.getElements(value.value)
                      : nullptr;
  if (!elements)
    return std::nullopt;
  Type element = type.getElementType();
  auto at = [&](int64_t place) -> std::optional<int64_t> {
    const Number &number = elements->at(place);
    if (element.isInteger(1))
      return number.integer & 1;
    if (isa<IntegerType>(element))
      return std::abs(number.integer) <= kMost ? std::optional(number.integer)
                                               : std::nullopt;
    const double real = number.real;
    if (!(std::abs(real) <= double(kMost)) || real != std::floor(real))
      return std::nullopt;
    return int64_t(real);
  };
  if (isa<FloatType>(element) && elements->isSplat() &&
      elements->at(0).real == -INFINITY)
    return Fact::lowest();
  std::optional<int64_t> first = at(0);
  if (!first)
    return std::nullopt;
  if (count == 1 || elements->isSplat())
    return Fact::of(*first);
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    std::optional<unsigned> loop = getWholeLoop(value.labels[dim], *this);
    const int64_t inner =
        ShapedType::getNumElements(type.getShape().drop_front(dim + 1));
    if (!loop || at(inner) != *first + 1)
      continue;
    for (int64_t i = 0; i < count; ++i)
      if (at(i) != *first + i / inner % size)
        return std::nullopt;
    Fact fact;
    fact.term = Term::Position;
    fact.loop = *loop;
    fact.size = size;
    fact.number = *first;
    // The first position of a slice is not that of its source.
    if (auto it = sliced.find(*loop); it != sliced.end()) {
      fact.loop = *positions;
      fact.size = sizes[*positions];
      fact.number += it->second;
    }
    return fact;
  }
  return std::nullopt;
}

Facts OneHotMasks::compute(LabelledValue value) {
  Operation *op = value.value.getDefiningOp();
  if (!op || !isa<RankedTensorType>(value.value.getType()) ||
      !tensorType(value.value).hasStaticShape() ||
      !tensorType(value.value).getElementType().isIntOrFloat())
    return {};
  if (goBefore(value))
    return evaluate(value);
  // A constant, or positions that a kernel writes.
  auto kernel = dyn_cast<linalg::GenericOp>(op);
  if (op->getNumOperands() == 0 || (kernel && kernel.getInputs().empty())) {
    std::optional<Fact> fact = getConstant(value);
    return fact ? Facts{*fact, *fact} : Facts();
  }
  if (Value source = getCumulativeSum(op))
    return computeCount(source, value);
  if (auto sum = PositionSum::get(op); sum && sum->scatters)
    return computeScatter(kernel, value.labels);
  if (kernel)
    return computeStructured(kernel, value.labels);
  if ((!op->hasTrait<OpTrait::Elementwise>() && !isa<ActivationOp>(op)) ||
      op->getNumResults() != 1)
    return {};
  SmallVector<Input> operands;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || type.getShape() != tensorShape(value.value))
      return {};
    LabelledValue source{operand, value.labels};
    operands.push_back({evaluate(source), source});
  }
  return fold(op, operands);
}

Facts OneHotMasks::fold(Operation *op, ArrayRef<Input> operands) {
  if (operands.empty())
    return {};
  if (auto compare = dyn_cast<arith::CmpIOp>(op);
      compare && compare.getPredicate() == arith::CmpIPredicate::eq)
    for (unsigned i : {0u, 1u}) {
      const Fact &position = operands[i].facts.chosen;
      const Input &ids = operands[1 - i];
      if (position.term == Term::Position && !position.isConditional() &&
          position.number == 0 && !isPosition(position.loop) && ids.source &&
          experts && areChoices(*ids.source, position.loop))
        return {Fact::of(1), Fact::of(0), Facts::Scope::Choice};
    }
  bool ofChoice = false, ofRow = false;
  for (const Input &input : operands) {
    ofChoice |= input.facts.scope == Facts::Scope::Choice;
    ofRow |= input.facts.scope == Facts::Scope::Row;
  }
  // Facts compare with positions in a capacity alone.
  auto known = [&](const Fact &fact) {
    return fact.term == Term::Position && fact.loop != positions ? Fact()
                                                                 : fact;
  };
  SmallVector<Fact> chosen, other;
  for (const Input &input : operands) {
    chosen.push_back(known(input.facts.chosen));
    // Another choice of the row may be the expert.
    other.push_back(ofChoice && input.facts.scope == Facts::Scope::Row
                        ? Fact()
                        : known(input.facts.other));
  }
  return {foldFacts(op, chosen, rows), foldFacts(op, other, rows),
          ofChoice ? Facts::Scope::Choice
          : ofRow  ? Facts::Scope::Row
                   : Facts::Scope::None};
}

/// Sums, up to each row, of ones where the expert is the row's choice.
Facts OneHotMasks::computeCount(Value source, const LabelledValue &sums) {
  Facts ones = evaluate({source, sums.labels});
  if (!ones.chosen.is(1) || !ones.other.is(0) ||
      ones.scope != Facts::Scope::Choice)
    return {};
  rows = std::max(rows, tensorDim(sums.value, 1));
  if (!isExact(getElementTypeOrSelf(sums.value), rows))
    return {};
  orders.push_back(sums.labels[1]);
  if (!counts.value)
    counts = sums;
  return {Fact::count(), Fact(), Facts::Scope::Choice};
}

/// Elements that are moved to the chosen experts.
Facts OneHotMasks::computeScatter(linalg::GenericOp op, const Labels &labels) {
  std::optional<unsigned> loop = getWholeLoop(labels[1], *this);
  SmallVector<LabelledValue> inputs(getInputs(op, labels));
  Operation *sum = getReduction(op);
  if (!experts || loop != experts || inputs.size() != 2 || !sum ||
      !areChoices(inputs[0], *loop))
    return {};
  Facts moved = evaluate(inputs[1]);
  Facts term{moved.scope == Facts::Scope::None ? moved.chosen : Fact(),
             Fact::of(0), Facts::Scope::Choice};
  Digits ofChoices = normalize(inputs[0].labels[1]);
  if (ofChoices.empty())
    return term;
  std::optional<unsigned> choice = getWholeLoop(ofChoices, *this);
  return choice ? reduce(sum, term, *choice, inputs) : Facts();
}

/// The facts of a sum, or another reduction, of terms along one loop.
Facts OneHotMasks::reduce(Operation *op, Facts term, unsigned loop,
                          ArrayRef<LabelledValue> inputs) {
  // What all but one of the terms, or all, add up to.
  auto repeat = [&](const Fact &fact, int64_t times) -> std::optional<Fact> {
    if (fact.isConditional() || fact.term != Term::Number)
      return std::nullopt;
    if (isa<arith::AddFOp, arith::AddIOp>(op))
      return Fact::of(fact.number * times);
    return fact;
  };
  auto with = [&](const Fact &fact, int64_t times) {
    std::optional<Fact> rest = repeat(term.other, times);
    if (!rest)
      return Fact();
    return times == 0 ? fact : foldFacts(op, {fact, *rest}, rows);
  };
  const int64_t size = sizes[loop];
  if (term.scope == Facts::Scope::None) {
    std::optional<Fact> all = repeat(term.chosen, size);
    return all ? Facts{*all, *all} : Facts();
  }
  if (term.scope != Facts::Scope::Choice)
    return {};
  if (summedExperts.contains(loop)) {
    for (const LabelledValue &input : inputs)
      for (const Digits &digits : input.labels)
        for (const Digit &digit : digits)
          if (digit.loop != loop &&
              (summedExperts.contains(digit.loop) || digit.loop == *experts))
            return {};
    return {with(term.chosen, size - 1), Fact(), Facts::Scope::Choice};
  }
  bool isOfChoices = llvm::any_of(choices.labels, [&](const Digits &digits) {
    return llvm::any_of(unify(digits), [&](const Digit &digit) {
      return digit.loop == find(loop);
    });
  });
  if (!isOfChoices || !areDistinct(loop))
    return {};
  std::optional<Fact> none = repeat(term.other, size);
  return {with(term.chosen, size - 1), none ? *none : Fact(),
          Facts::Scope::Row};
}

/// Whether a reduction begins with what adds nothing to it.
static bool beginsWithNothing(Operation *op, Value init) {
  Attribute element = getRepeatedElement(init);
  if (auto real = dyn_cast_or_null<FloatAttr>(element))
    return isa<arith::AddFOp>(op)
               ? real.getValue().isZero()
               : isa<arith::MaximumFOp, arith::MaxNumFOp>(op) &&
                     real.getValue().isInfinity() &&
                     real.getValue().isNegative();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(element))
    return isa<arith::AddIOp, arith::OrIOp>(op)
               ? integer.getValue().isZero()
               : isa<arith::MaxSIOp>(op) &&
                     integer.getValue().isMinSignedValue();
  return false;
}

Operation *mlir::te::getReduction(linalg::GenericOp op) {
  Block &body = *op.getBody();
  Operation *last = body.getTerminator()->getOperand(0).getDefiningOp();
  Value old = body.getArguments().back();
  if (!isa_and_present<arith::AddFOp, arith::AddIOp, arith::OrIOp,
                       arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
          last) ||
      last->getBlock() != &body || !old.hasOneUse() ||
      *old.getUsers().begin() != last ||
      !beginsWithNothing(last, op.getOutputs().front()))
    return nullptr;
  return last;
}

Facts OneHotMasks::computeStructured(linalg::GenericOp op,
                                     const Labels &labels) {
  if (op.getNumResults() != 1)
    return {};
  SmallVector<LabelledValue> inputs(getInputs(op, labels));
  if (inputs.size() != op.getInputs().size())
    return {};
  const bool reduces = op.getNumReductionLoops() > 0;
  Operation *reduction = reduces ? getReduction(op) : nullptr;
  Block &body = *op.getBody();
  if (reduces && !reduction)
    return {};
  llvm::DenseMap<Value, Input> values;
  for (auto [argument, input] : llvm::zip(body.getArguments(), inputs))
    values[argument] = {evaluate(input), input};
  Facts result;
  for (Operation &inner : body) {
    if (&inner == reduction || isa<linalg::YieldOp>(inner))
      continue;
    if (inner.getNumResults() != 1)
      return {};
    SmallVector<Input> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(values.lookup(operand));
    Attribute constant;
    Facts facts;
    if (matchPattern(&inner, m_Constant(&constant))) {
      Fact fact;
      if (auto integer = dyn_cast<IntegerAttr>(constant))
        fact = Fact::of(integer.getType().isInteger(1)
                            ? integer.getValue().getZExtValue()
                            : integer.getValue().getSExtValue());
      else if (auto real = dyn_cast<FloatAttr>(constant);
               real && real.getValue().isInteger() &&
               std::abs(real.getValueAsDouble()) < double(1 << 24))
        fact = Fact::of(int64_t(real.getValueAsDouble()));
      facts = {fact, fact};
    } else if (inner.getNumRegions() == 0) {
      facts = fold(&inner, operands);
    }
    values[inner.getResult(0)] = {facts, std::nullopt};
  }
  if (!reduction)
    return values.lookup(body.getTerminator()->getOperand(0)).facts;
  Value old = body.getArguments().back();
  Value term = reduction->getOperand(reduction->getOperand(0) == old ? 1 : 0);
  SmallVector<unsigned> reduced;
  Digits own = flatten(labels);
  for (const LabelledValue &input : inputs)
    for (const Digit &digit : flatten(input.labels))
      if (!llvm::is_contained(reduced, digit.loop) &&
          llvm::none_of(own, [&](const Digit &other) {
            return other.loop == digit.loop;
          }))
        reduced.push_back(digit.loop);
  result = values.lookup(term).facts;
  LabelledValue sum{op.getResult(0), labels};
  if (reduced.size() > 1 || !isOneLoop(sum, reduced))
    return {};
  if (reduced.empty())
    return result;
  const bool isOne = result.other.is(0) && result.scope == Facts::Scope::Choice;
  result = reduce(reduction, result, reduced.front(), inputs);
  if (isOne && result.scope != Facts::Scope::None)
    sumsOfOne.push_back(sum);
  return result;
}
