// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/OneHotMasks.h"

#include "Raise/IntegerSorts.h"
#include "Raise/Matchers.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

using Kind = Term::Kind;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

unsigned OneHotMasks::addLoop(int64_t size) {
  sizes.push_back(size);
  same.insert(sizes.size() - 1);
  return sizes.size() - 1;
}

Digits OneHotMasks::unify(ArrayRef<Digit> digits) const {
  Digits result(digits);
  for (Digit &digit : result)
    digit.loop = same.getLeaderValue(digit.loop);
  return normalize(result);
}

bool OneHotMasks::isPosition(unsigned loop) const {
  return (positions && loop == *positions) || sliced.contains(loop);
}

bool OneHotMasks::isExperts(unsigned loop) const {
  return experts &&
         (loop == *experts || llvm::any_of(summedExperts, [&](unsigned other) {
            return same.getLeaderValue(other) == loop;
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
      if (!contains(result, digit.loop) && !contains(sums, digit.loop))
        sums.push_back(digit);
  return sums;
}

/// Whether no two loops number the same.
bool OneHotMasks::areDifferent(ArrayRef<Digit> digits) const {
  llvm::SmallDenseMap<unsigned, unsigned> loops;
  return llvm::all_of(digits, [&](const Digit &digit) {
    auto [it, isNew] =
        loops.try_emplace(same.getLeaderValue(digit.loop), digit.loop);
    return isNew || it->second == digit.loop;
  });
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
  // Numbers that differ from expert to expert choose none, and rows are none.
  if (sizes[loop] != sizes[*experts] ||
      contains(unify(flatten(choices.labels)), same.getLeaderValue(loop)) ||
      llvm::any_of(flatten(ids.labels), [&](const Digit &digit) {
        return digit.loop == loop || digit.loop == *experts ||
               isPosition(digit.loop) || summedExperts.contains(digit.loop);
      }))
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
    // Each is one of those of the choices, of which no two become one.
    for (auto [x, y] : pairs) {
      if (x != y && contains(unify(flatten(choices.labels)), x))
        return false;
      for (auto [u, v] : pairs)
        if ((x == u) != (y == v))
          return false;
    }
    for (auto [x, y] : pairs)
      same.unionSets(y, x); // Keeps the name of y.
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
  if (chosen.size() != 1 || chosen[0].loop != same.getLeaderValue(loop) ||
      chosen[0].stride != 1 || chosen[0].size != sizes[loop])
    return false;
  Operation *sort = skipReshapes(sum->ids).getDefiningOp();
  return sort && sortsAlongRows(sort) &&
         tensorShape(sort->getResult(0)) == tensorShape(sum->ids);
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
  if (!areDifferent(flatten(value.labels)))
    facts = {};
  known[value.value].emplace_back(value.labels, facts);
  return facts;
}

/// A term of a number, if it is a small integer or minus infinity.
static std::optional<Term> getTerm(Type element, const Number &number) {
  if (element.isInteger(1))
    return Term::of(number.integer & 1);
  if (isa<FloatType>(element) && number.real == -INFINITY)
    return Term{Kind::Lowest};
  const double real =
      isa<FloatType>(element) ? number.real : double(number.integer);
  if (!(std::abs(real) <= double(int64_t(1) << 24)) || real != std::floor(real))
    return std::nullopt;
  return Term::of(int64_t(real));
}

/// Of a number that a constant repeats, or of the positions along one loop.
Facts OneHotMasks::getConstant(const LabelledValue &value) {
  auto elements = evaluator.getElements(value.value);
  const int64_t count = elements ? elements->type.getNumElements() : 0;
  if (count == 0)
    return {};
  RankedTensorType type = elements->type;
  auto at = [&](int64_t place) {
    return getTerm(type.getElementType(), elements->at(place));
  };
  std::optional<Term> first = at(0);
  if (!first)
    return {};
  if (count == 1 || elements->isSplat())
    return {*first, *first};
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    std::optional<unsigned> loop = getWholeLoop(value.labels[dim], *this);
    const int64_t size = type.getDimSize(dim);
    const int64_t inner =
        ShapedType::getNumElements(type.getShape().drop_front(dim + 1));
    auto isPosition = [&](int64_t place) {
      return at(place) == Term::of(first->number + place / inner % size);
    };
    if (!loop || !isPosition(inner))
      continue;
    if (!llvm::all_of(llvm::seq(count), isPosition))
      return {};
    Term position{Kind::Position, first->number, *loop, size};
    // The first position of a slice is not that of its source.
    if (auto slice = sliced.find(*loop); slice != sliced.end())
      position = {Kind::Position, first->number + slice->second, *positions,
                  sizes[*positions]};
    return {position, position};
  }
  return {};
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
  if (op->getNumOperands() == 0 || (kernel && kernel.getInputs().empty()))
    return getConstant(value);
  if (Value source = getCumulativeSum(op))
    return computeCount(source, value);
  if (auto sum = PositionSum::get(op); sum && sum->scatters)
    return computeScatter(kernel, value.labels);
  if (kernel)
    return computeStructured(kernel, value.labels);
  if ((!op->hasTrait<OpTrait::Elementwise>() && !isa<ActivationOp>(op)) ||
      op->getNumResults() != 1)
    return {};
  SmallVector<Input, 2> operands;
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
      const Term position = operands[i].facts.chosen.getTerm();
      const Input &ids = operands[1 - i];
      if (position.kind == Kind::Position && position.number == 0 &&
          !isPosition(position.loop) && ids.source && experts &&
          areChoices(*ids.source, position.loop))
        return {Term::of(1), Term::of(0), Facts::Scope::Choice};
    }
  bool ofChoice = false, ofRow = false;
  for (const Input &input : operands) {
    ofChoice |= input.facts.scope == Facts::Scope::Choice;
    ofRow |= input.facts.scope == Facts::Scope::Row;
  }
  // Facts compare with positions in a capacity alone.
  auto known = [&](const Fact &fact) {
    const Term &term = fact.inner;
    return term.kind == Kind::Position && term.loop != positions ? Fact()
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
  // Of each expert by itself; all masks count in one order.
  Digits order = unify(sums.labels[1]),
         ofChoices = unify(flatten(choices.labels));
  const int64_t most = tensorDim(sums.value, 1);
  if (!isExact(sums.value.getType(), most) ||
      !llvm::all_of(order,
                    [&](const Digit &digit) {
                      return contains(ofChoices, digit.loop);
                    }) ||
      (counts.value && order != unify(counts.labels[1])))
    return {};
  if (!counts.value) {
    counts = sums;
    rows = most;
  }
  return {Term{Kind::Count}, Fact(), Facts::Scope::Choice};
}

/// Elements that are moved to the chosen experts.
Facts OneHotMasks::computeScatter(linalg::GenericOp op, const Labels &labels) {
  std::optional<unsigned> loop = getWholeLoop(labels[1], *this);
  SmallVector<LabelledValue> inputs(getInputs(op, labels));
  std::optional<Accumulation> sum = Accumulation::get(op);
  if (!experts || loop != experts || inputs.size() != 2 || !sum ||
      !areChoices(inputs[0], *loop))
    return {};
  Facts moved = evaluate(inputs[1]);
  Facts term{moved.scope == Facts::Scope::None ? moved.chosen : Fact(),
             Term::of(0), Facts::Scope::Choice};
  Digits ofChoices = normalize(inputs[0].labels[1]);
  if (ofChoices.empty())
    return term;
  std::optional<unsigned> choice = getWholeLoop(ofChoices, *this);
  return choice ? reduce(sum->op, term, *choice, inputs) : Facts();
}

/// The facts of a sum, or another reduction, of terms along one loop.
Facts OneHotMasks::reduce(Operation *op, Facts term, unsigned loop,
                          ArrayRef<LabelledValue> inputs) {
  // What equal terms add up to.
  auto repeat = [&](const Fact &fact, int64_t times) -> Fact {
    Term sum = fact.getTerm();
    if (isa<arith::AddFOp, arith::AddIOp>(op))
      sum.number *= times;
    return sum.kind == Kind::Number &&
                   isExact(op->getResult(0).getType(), std::abs(sum.number))
               ? Fact(sum)
               : Fact();
  };
  const int64_t size = sizes[loop];
  if (term.scope == Facts::Scope::None) {
    Fact all = repeat(term.chosen, size);
    return {all, all};
  }
  if (term.scope != Facts::Scope::Choice)
    return {};
  Fact chosen = term.chosen;
  if (size > 1)
    chosen = foldFacts(op, {chosen, repeat(term.other, size - 1)}, rows);
  const bool isOneTerm = term.other.is(0);
  if (summedExperts.contains(loop)) {
    for (const LabelledValue &input : inputs)
      for (const Digit &digit : flatten(input.labels))
        if (digit.loop != loop &&
            (summedExperts.contains(digit.loop) || digit.loop == *experts))
          return {};
    return {chosen, Fact(), Facts::Scope::Choice, isOneTerm};
  }
  if (!contains(unify(flatten(choices.labels)), same.getLeaderValue(loop)) ||
      !areDistinct(loop))
    return {};
  return {chosen, repeat(term.other, size), Facts::Scope::Row, isOneTerm};
}

/// Whether a reduction begins with what adds nothing to it.
static bool beginsWithNothing(Operation *op, Value init) {
  Attribute element = getRepeatedElement(init);
  if (!element)
    return false;
  if (isa<arith::AddFOp>(op))
    return matchPattern(element, m_AnyZeroFloat());
  if (isa<arith::AddIOp, arith::OrIOp>(op))
    return matchPattern(element, m_Zero());
  if (isa<arith::MaxSIOp>(op))
    return cast<IntegerAttr>(element).getValue().isMinSignedValue();
  return isa<arith::MaximumFOp, arith::MaxNumFOp>(op) &&
         matchPattern(element, m_NegInfFloat());
}

std::optional<Accumulation> Accumulation::get(linalg::GenericOp op) {
  SmallVector<Operation *, 1> combiners;
  Value term = matchReduction(op.getRegionOutputArgs(), 0, combiners);
  if (!term || combiners.size() != 1 ||
      !beginsWithNothing(combiners[0], op.getOutputs().front()))
    return std::nullopt;
  return Accumulation{combiners[0], term};
}

Facts OneHotMasks::computeStructured(linalg::GenericOp op,
                                     const Labels &labels) {
  SmallVector<LabelledValue> inputs(getInputs(op, labels));
  std::optional<Accumulation> reduction;
  if (op.getNumReductionLoops() > 0)
    reduction = Accumulation::get(op);
  if (inputs.size() != op.getInputs().size() ||
      (op.getNumReductionLoops() > 0 && !reduction))
    return {};
  Block &body = *op.getBody();
  llvm::DenseMap<Value, Input> values;
  for (auto [argument, input] : llvm::zip(body.getArguments(), inputs))
    values[argument] = {evaluate(input), input};
  for (Operation &inner : body.without_terminator()) {
    if (inner.getNumResults() != 1 || inner.getNumRegions() > 0)
      return {};
    Value result = inner.getResult(0);
    values[result].facts =
        inner.getNumOperands() == 0
            ? getConstant({result, {}})
            : fold(&inner, llvm::map_to_vector<2>(
                               inner.getOperands(), [&](Value operand) {
                                 return values.lookup(operand);
                               }));
  }
  if (!reduction)
    return values.lookup(body.getTerminator()->getOperand(0)).facts;
  Facts term = values.lookup(reduction->term).facts;
  Digits reduced = getSums(op, labels), all = flatten(labels);
  all.append(reduced);
  if (reduced.size() > 1 || !areDifferent(all))
    return {};
  return reduced.empty()
             ? term
             : reduce(reduction->op, term, reduced.front().loop, inputs);
}
