// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/AttentionScores.h"
#include "Raise/Matchers.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/SkipOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;

std::optional<Contraction> mlir::te::getProduct(Operation *op) {
  if (auto matmul = dyn_cast_or_null<MatmulOp>(op)) {
    if (matmul.getBias() || matmul.getAddend())
      return std::nullopt;
    Contraction product;
    auto shape = matmul.getD().getType().getShape();
    unsigned aRows = matmul.getTransposeA(), bRows = matmul.getTransposeB();
    product.m = {0};
    product.n = {1};
    product.k = {2};
    product.dimensions = {{aRows ? 2u : 0u, aRows ? 0u : 2u},
                          {bRows ? 1u : 2u, bRows ? 2u : 1u},
                          {0, 1}};
    product.loopSizes = {shape[0], shape[1],
                         matmul.getA().getType().getDimSize(aRows ? 0 : 1)};
    product.operands = {matmul.getA(), matmul.getB(), matmul.getD()};
    return product;
  }
  auto structured = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!structured)
    return std::nullopt;
  FailureOr<Contraction> product = Contraction::get(structured);
  if (failed(product) || !isZero(product->init()))
    return std::nullopt;
  return *product;
}

/// The loop of the keys with the sink before or after them.
static constexpr unsigned kKeysAndSink = kRepeats - 1;

static Value skipViewsAndCasts(Value value) {
  return skipOps<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                 tensor::ExtractSliceOp, linalg::TransposeOp, arith::ExtFOp,
                 arith::TruncFOp>(value);
}

/// True if `value` is a product or quotient with exponentials, directly or in
/// its operands.
static bool isQuotientOfExponentials(Value value, unsigned depth) {
  Operation *op = skipViewsAndCasts(value).getDefiningOp();
  // Rows without visible keys may have zeros instead.
  if (auto choice = dyn_cast_or_null<arith::SelectOp>(op))
    op = skipViewsAndCasts(getNumber(choice.getTrueValue()) == 0.0
                               ? choice.getFalseValue()
                               : choice.getTrueValue())
             .getDefiningOp();
  return op && isa<arith::DivFOp, arith::MulFOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return skipViewsAndCasts(operand).getDefiningOp<math::ExpOp>() ||
                  (depth > 0 && isQuotientOfExponentials(operand, depth - 1));
         });
}

bool SoftmaxReader::isLikeSoftmax(Value value) {
  return isQuotientOfExponentials(value, /*depth=*/1);
}

std::optional<Labels> SoftmaxReader::read(Value probabilities) {
  std::optional<Term> term = get(probabilities);
  auto hasSink = [](const Digits &digits) {
    return llvm::any_of(
        digits, [](const Digit &digit) { return digit.loop == kKeysAndSink; });
  };
  if (term && term->stage == Stage::Probabilities &&
      llvm::none_of(term->labels, hasSink))
    return term->labels;
  (void)fail("it is not a softmax of the product of two operands");
  return std::nullopt;
}

Operation *SoftmaxReader::findOtherUser(Operation *secondProduct) const {
  for (Operation *op : followed)
    for (Operation *user : op->getUsers())
      if (user != secondProduct && !followed.contains(user))
        return user;
  return nullptr;
}

std::optional<SoftmaxReader::Term> SoftmaxReader::change(Term term) {
  if (term.version != version)
    return fail("its scores are used in two ways");
  if (scores.sink.value)
    return fail("its scores are changed together with those of a sink");
  term.version = ++version;
  term.stage = Stage::Scores;
  return term;
}

std::optional<SoftmaxReader::Term> SoftmaxReader::get(Value value) {
  if (auto known = terms.find(value); known != terms.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  // A softmax has some twenty ops between its products.
  constexpr unsigned kDeepest = 64;
  if (!op || depth >= kDeepest)
    return std::nullopt;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  std::optional<Term> term = compute(op, value);
  if (term)
    followed.insert(op);
  terms[value] = term;
  return term;
}

std::optional<SoftmaxReader::Term> SoftmaxReader::compute(Operation *op,
                                                          Value value) {
  if (auto product = getProduct(op)) {
    if (scores.op && scores.op != op)
      return std::nullopt;
    scores.op = op;
    scores.product = *product;
    Labels labels;
    for (unsigned loop : product->dimensions[2])
      labels.push_back(wholeLoop(loop, product->loopSizes[loop]));
    return Term{Stage::Scores, std::move(labels), version};
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    std::optional<Term> term = get(op->getOperand(0));
    auto type = cast<RankedTensorType>(value.getType());
    if (!term || !type.hasStaticShape())
      return std::nullopt;
    auto labels = relabel(term->labels, type.getShape());
    if (!labels)
      return fail("its scores are cut into pieces that mix dimensions");
    term->labels = std::move(*labels);
    return term;
  }
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    std::optional<Term> term = get(transpose.getInput());
    if (!term)
      return std::nullopt;
    Labels labels;
    for (int64_t from : transpose.getPermutation())
      labels.push_back(term->labels[from]);
    term->labels = std::move(labels);
    return term;
  }
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return get(op->getOperand(0));
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op)) {
    std::optional<Term> term = get(broadcast.getInput());
    if (!term)
      return std::nullopt;
    if (term->stage != Stage::RowMaximum && term->stage != Stage::RowSum &&
        term->stage != Stage::RowReciprocal &&
        term->stage != Stage::RowIsHidden)
      return fail("its scores are repeated");
    auto type = cast<RankedTensorType>(broadcast.getInit().getType());
    Labels labels;
    auto *from = term->labels.begin();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (llvm::is_contained(broadcast.getDimensions(), dim))
        labels.push_back(wholeLoop(kRepeats, type.getDimSize(dim)));
      else
        labels.push_back(*from++);
    term->labels = std::move(labels);
    return term;
  }
  if (isa<linalg::LinalgOp>(op))
    return reduce(op);
  if (isa<tensor::ConcatOp>(op))
    return appendSink(op);
  if (isa<tensor::ExtractSliceOp>(op))
    return dropSink(op);
  if (auto mul = dyn_cast<arith::MulFOp>(op))
    return multiply(mul.getLhs(), mul.getRhs());
  if (auto div = dyn_cast<arith::DivFOp>(op))
    return divide(div.getLhs(), div.getRhs());
  if (isa<arith::AddFOp, AddOp>(op)) {
    auto sum = getSum(value);
    return sum ? add(sum->first, sum->second, 1) : std::nullopt;
  }
  if (auto sub = dyn_cast<arith::SubFOp>(op))
    return add(sub.getLhs(), sub.getRhs(), -1);
  if (auto compare = dyn_cast<arith::CmpFOp>(op);
      compare && compare.getPredicate() == arith::CmpFPredicate::OEQ)
    return isHidden(compare.getLhs(), compare.getRhs());
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return select(choice.getCondition(), choice.getTrueValue(),
                  choice.getFalseValue());
  if (auto maximum = dyn_cast<arith::MaximumFOp>(op)) {
    // A number that replaces a row maximum of -infinity.
    std::optional<Term> term = get(maximum.getLhs());
    if (term && term->stage == Stage::RowMaximum && getNumber(maximum.getRhs()))
      return term;
    return std::nullopt;
  }
  if (isa<math::ExpOp>(op)) {
    std::optional<Term> term = get(op->getOperand(0));
    if (!term ||
        (term->stage != Stage::Scores && term->stage != Stage::Shifted))
      return std::nullopt;
    return Term{Stage::Exponentials, term->labels, term->version, value};
  }
  auto activation = dyn_cast<ActivationOp>(op);
  bool isTanh = activation && activation.getKind() == ActivationKind::Tanh &&
                value == activation.getY();
  if (isTanh || isa<math::TanhOp>(op)) {
    std::optional<Term> term = get(op->getOperand(0));
    if (!term || term->stage != Stage::Scores)
      return std::nullopt;
    if (!scores.masks.empty() || scores.softcap != 0)
      return fail("a tanh is taken of scores that are masked or capped before");
    term = change(std::move(*term));
    if (!term)
      return std::nullopt;
    scores.softcap = 1;
    term->stage = Stage::Tanh;
    return term;
  }
  return std::nullopt;
}

std::optional<SoftmaxReader::Term> SoftmaxReader::multiply(Term term,
                                                           double number) {
  if (term.stage != Stage::Scores && term.stage != Stage::Tanh)
    return std::nullopt;
  if (!(number > 0) || !std::isfinite(number))
    return fail("its scores are multiplied with a number that is not positive");
  std::optional<Term> changed = change(std::move(term));
  if (!changed)
    return std::nullopt;
  // c * tanh(x) is the cap of c * x at c; later factors multiply both.
  if (scores.softcap != 0)
    scores.softcap *= number;
  else
    scores.coefficient *= number;
  for (ScoreMask &mask : scores.masks)
    mask.factor *= number;
  return changed;
}

std::optional<SoftmaxReader::Term> SoftmaxReader::multiply(Value a, Value b) {
  for (auto [value, factor] : {std::pair(a, b), std::pair(b, a)}) {
    std::optional<Term> term;
    if (auto number = getNumber(factor)) {
      term = get(value);
      return term ? multiply(*term, *number) : std::nullopt;
    }
  }
  std::optional<Term> x = get(a), y = get(b);
  if (!x && !y)
    return std::nullopt;
  if (x && y) {
    if (x->stage == Stage::RowReciprocal)
      std::swap(x, y);
    if (x->stage == Stage::Exponentials && y->stage == Stage::RowReciprocal)
      return sumsWith(std::move(*y), *x);
  }
  if ((x ? x : y)->stage == Stage::Probabilities)
    return fail("its probabilities are multiplied with something (dropout?)");
  return fail("its scores are multiplied with more than one number");
}

std::optional<SoftmaxReader::Term> SoftmaxReader::divide(Value numerator,
                                                         Value denominator) {
  if (auto number = getNumber(denominator)) {
    std::optional<Term> term = get(numerator);
    return term ? multiply(*term, 1 / *number) : std::nullopt;
  }
  if (getNumber(numerator) == 1.0) {
    std::optional<Term> term = get(denominator);
    if (!term || term->stage != Stage::RowSum)
      return std::nullopt;
    term->stage = Stage::RowReciprocal;
    return term;
  }
  std::optional<Term> above = get(numerator);
  std::optional<Term> below = above ? get(denominator) : std::nullopt;
  if (!above)
    return std::nullopt;
  if (above->stage == Stage::Scores)
    return fail("its scores are divided by more than one number");
  if (!below || above->stage != Stage::Exponentials ||
      below->stage != Stage::RowSum)
    return fail("exponentials of its scores are divided by something else than "
                "the sum of their rows");
  return sumsWith(std::move(*below), *above);
}

std::optional<SoftmaxReader::Term>
SoftmaxReader::sumsWith(Term sum, const Term &exponentials) {
  if (sum.exponentials != exponentials.exponentials ||
      exponentials.version != version ||
      !walksLike(sum.labels, exponentials.labels, rowLoops()))
    return fail("exponentials of its scores are divided by sums of other rows");
  return Term{Stage::Probabilities, exponentials.labels, version};
}

std::optional<SoftmaxReader::Term> SoftmaxReader::add(Value a, Value b,
                                                      double factor) {
  std::string before = reason;
  std::optional<Term> x = get(a);
  std::optional<Term> y = get(b);
  if (x || y)
    reason = before;
  if (x && y) {
    if ((x->stage != Stage::Scores && x->stage != Stage::Shifted) ||
        y->stage != Stage::RowMaximum || factor != -1)
      return fail("its scores are a sum of two products");
    if (x->version != y->version ||
        !walksLike(y->labels, x->labels, rowLoops()))
      return fail("it subtracts the maximum of other rows");
    x->stage = Stage::Shifted;
    return x;
  }
  if (y && !x && factor == 1) {
    std::swap(x, y);
    std::swap(a, b);
  }
  if (!x)
    return std::nullopt;
  if (x->stage != Stage::Scores && x->stage != Stage::Tanh)
    return fail("something is added within its softmax");
  x = change(std::move(*x));
  if (x)
    scores.masks.push_back({b, x->labels, /*isAddend=*/true, factor});
  return x;
}

/// True where scores are -infinity, which no product of finite numbers is: a
/// mask hides them.
std::optional<SoftmaxReader::Term> SoftmaxReader::isHidden(Value a, Value b) {
  if (getNumber(a))
    std::swap(a, b);
  if (getNumber(b) != -std::numeric_limits<double>::infinity())
    return std::nullopt;
  std::optional<Term> term = get(a);
  if (!term || term->stage != Stage::Scores)
    return std::nullopt;
  term->stage = Stage::IsHidden;
  return term;
}

std::optional<SoftmaxReader::Term> SoftmaxReader::select(Value condition,
                                                         Value yes, Value no) {
  // Rows without a visible key have probabilities 0, as in te.attention.
  if (getNumber(yes) == 0.0)
    if (std::optional<Term> row = get(condition);
        row && row->stage == Stage::RowIsHidden) {
      std::optional<Term> term = get(no);
      if (!term || term->stage != Stage::Probabilities ||
          row->version != version ||
          !walksLike(row->labels, term->labels, rowLoops()))
        return fail("its probabilities are replaced in rows that other scores "
                    "choose");
      scores.hasZeroRows = true;
      return term;
    }
  // Rows without a visible key, whose sum is 0, are divided by another number.
  if (auto compare = condition.getDefiningOp<arith::CmpFOp>())
    if (std::optional<Term> sum = get(no);
        sum && sum->stage == Stage::RowSum && getNumber(yes) &&
        compare.getPredicate() == arith::CmpFPredicate::OEQ &&
        compare.getLhs() == no && getNumber(compare.getRhs()) == 0.0) {
      followed.insert(compare);
      scores.hasZeroRows = true;
      return sum;
    }
  bool hides = getNumber(yes).has_value();
  std::optional<Term> term = get(hides ? no : yes);
  if (!term)
    return std::nullopt;
  auto number = getNumber(hides ? yes : no);
  // Requires a penalty as large as any mask adds; smaller ones shift
  // probabilities.
  if ((term->stage != Stage::Scores && term->stage != Stage::Tanh) || !number ||
      !(*number <= -1e4))
    return fail("some of its scores are replaced by something else than "
                "-infinity");
  if (!isa<RankedTensorType>(condition.getType()))
    return fail("one truth value chooses all of its scores");
  term = change(std::move(*term));
  if (term)
    scores.masks.push_back(
        {condition, term->labels, /*isAddend=*/false, *number, hides});
  return term;
}

std::optional<SoftmaxReader::Term> SoftmaxReader::reduce(Operation *operation) {
  auto op = cast<linalg::LinalgOp>(operation);
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  AffineMap from = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!from.isPermutation() || !to.isProjectedPermutation())
    return std::nullopt;
  Block &body = *op.getBlock();
  Operation *combine = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!combine || combine->getNumOperands() != 2)
    return std::nullopt;
  bool isSum = addsUp(body);
  // What is reduced may be widened first.
  auto combined = llvm::map_to_vector<2>(combine->getOperands(), [](Value v) {
    auto widened = v.getDefiningOp<arith::ExtFOp>();
    return widened ? widened.getIn() : v;
  });
  bool isOfBoth =
      std::is_permutation(combined.begin(), combined.end(), body.args_begin());
  bool isMaximum =
      isOfBoth && isa<arith::MaximumFOp, arith::MaxNumFOp>(combine);
  bool isAll = isOfBoth && isa<arith::AndIOp>(combine);
  if (!isSum && !isMaximum && !isAll)
    return std::nullopt;
  std::optional<Term> term = get(op.getDpsInputOperand(0)->get());
  if (!term)
    return std::nullopt;
  Value init = op.getDpsInitOperand(0)->get();
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getInputs().front();
  if (isAll ? term->stage != Stage::IsHidden || !matchPattern(init, m_One())
      : isSum
          ? term->stage != Stage::Exponentials || !isZero(init)
          : (term->stage != Stage::Scores && term->stage != Stage::Shifted) ||
                !matchPattern(init, m_NegInfFloat()))
    return fail("something else than the maximum of its scores and the sum of "
                "their exponentials is taken of its rows");
  SmallVector<Digits> loops(op.getNumLoops());
  for (auto [dim, expr] : llvm::enumerate(from.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = term->labels[dim];
  Labels labels;
  for (AffineExpr expr : to.getResults())
    labels.push_back(std::move(loops[cast<AffineDimExpr>(expr).getPosition()]));
  // The digits not kept are summed over; they must be all of some loops.
  SmallVector<unsigned, 2> keys;
  int64_t count = 1, wanted = 1;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type != utils::IteratorType::reduction)
      continue;
    for (const Digit &digit : loops[loop]) {
      if (!llvm::is_contained(keys, digit.loop))
        keys.push_back(digit.loop);
      count *= digit.size;
    }
  }
  for (unsigned loop : keys)
    wanted *= loop == kRepeats       ? 0
              : loop == kKeysAndSink ? countOf(keyDigits) + 1
                                     : scores.product.loopSizes[loop];
  llvm::sort(keys);
  if (count != wanted || keys.empty() ||
      (!scores.keys.empty() && rowLoops() != keys))
    return fail("its maximum and its sum are not of the same whole rows");
  if (!scores.sink.value)
    scores.keys = keys;
  return Term{isAll   ? Stage::RowIsHidden
              : isSum ? Stage::RowSum
                      : Stage::RowMaximum,
              std::move(labels), term->version, term->exponentials};
}

SmallVector<unsigned, 2> SoftmaxReader::rowLoops() const {
  if (scores.sink.value)
    return {kKeysAndSink};
  return scores.keys;
}

/// One more score in every row, not a key's.
std::optional<SoftmaxReader::Term> SoftmaxReader::appendSink(Operation *op) {
  auto concat = cast<tensor::ConcatOp>(op);
  if (concat.getInputs().size() != 2)
    return std::nullopt;
  std::optional<Term> term = get(concat.getInputs()[0]);
  bool first = !term;
  if (first)
    term = get(concat.getInputs()[1]);
  if (!term || term->stage != Stage::Scores)
    return std::nullopt;
  Value sink = concat.getInputs()[first ? 0 : 1];
  Digits &row = term->labels[concat.getDim()];
  SmallVector<unsigned, 2> loops;
  for (const Digit &digit : row)
    loops.push_back(digit.loop);
  llvm::sort(loops);
  if (scores.sink.value || term->version != version || loops.empty() ||
      llvm::is_contained(loops, kRepeats) ||
      llvm::unique(loops) != loops.end() ||
      !llvm::all_of(row,
                    [&](Digit digit) {
                      return digit.stride == 1 &&
                             digit.size == scores.product.loopSizes[digit.loop];
                    }) ||
      (!scores.keys.empty() && scores.keys != loops))
    return fail("something is joined to its scores that is no sink of full "
                "rows");
  auto type = cast<RankedTensorType>(sink.getType());
  if (type.getDimSize(concat.getDim()) != 1)
    return fail("more than one sink is joined to its scores");
  keyDigits = row;
  isSinkFirst = first;
  row.clear();
  scores.sink = {sink, term->labels};
  scores.keys = loops;
  row = wholeLoop(kKeysAndSink, countOf(keyDigits) + 1);
  ++version;
  term->version = version;
  return term;
}

/// The probabilities of the keys without the sink's.
std::optional<SoftmaxReader::Term> SoftmaxReader::dropSink(Operation *op) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  std::optional<Term> term = get(slice.getSource());
  if (!term)
    return std::nullopt;
  RankedTensorType from = slice.getSourceType(), to = slice.getType();
  int64_t keys = countOf(keyDigits), dropped = 0;
  if (term->stage != Stage::Probabilities || !scores.sink.value ||
      from.getRank() != to.getRank() || !slice.getOffsets().empty() ||
      !slice.getStrides().empty())
    return fail("a part of its scores or probabilities is used");
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    int64_t offset = slice.getStaticOffsets()[dim];
    bool isRow = term->labels[dim] == wholeLoop(kKeysAndSink, keys + 1);
    if (slice.getStaticStrides()[dim] != 1 ||
        offset != (isRow && isSinkFirst ? 1 : 0) ||
        to.getDimSize(dim) != from.getDimSize(dim) - (isRow ? 1 : 0))
      return fail("a part of its scores or probabilities is used");
    if (!isRow)
      continue;
    ++dropped;
    term->labels[dim] = keyDigits;
  }
  if (dropped != 1)
    return fail("a part of its scores or probabilities is used");
  return term;
}
