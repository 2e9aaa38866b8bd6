// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products around a softmax become te.attention.

#include "Raise/AttentionScores.h"
#include "Raise/Forms.h"
#include "Raise/Raise.h"

#include "te/Analysis/BandMask.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/DropoutOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Loops of the second product that the first one does not have.
static constexpr unsigned kSecondProduct = 1000;

namespace {
/// What te.attention's dimensions walk.
struct HeadLabels {
  /// Batches and heads, batches first; the first `cut` digits are batches. Of
  /// the heads, `groups` at the end are those that share a head of keys.
  Digits batchAndHeads;
  size_t cut = 0, groups = 0;
  Digits queries, keys, dim, valueDim;

  Digits batch() const {
    return Digits(ArrayRef(batchAndHeads).take_front(cut));
  }
  Digits heads(bool ofKeys) const {
    return Digits(
        ArrayRef(batchAndHeads).drop_front(cut).drop_back(ofKeys ? groups : 0));
  }
  /// The row-major order of an operand, with the given sequence and head
  /// dimension, and its shape.
  Digits order(AttentionLayout layout, const Digits &sequence,
               const Digits &dim, bool ofKeys) const {
    Digits result;
    for (const Digits &digits : parts(layout, sequence, dim, ofKeys))
      result.append(digits);
    return result;
  }
  SmallVector<int64_t> shape(AttentionLayout layout, const Digits &sequence,
                             const Digits &dim, bool ofKeys) const {
    SmallVector<int64_t> sizes;
    for (const Digits &digits : parts(layout, sequence, dim, ofKeys))
      sizes.push_back(countOf(digits));
    return sizes;
  }

private:
  SmallVector<Digits, 4> parts(AttentionLayout layout, const Digits &sequence,
                               const Digits &dim, bool ofKeys) const {
    Digits b = batch(), h = heads(ofKeys);
    if (layout == AttentionLayout::BSHD)
      return {b, sequence, h, dim};
    return {b, h, sequence, dim};
  }
};

/// One product around a softmax as te.attention.
class DecomposedAttention {
public:
  explicit DecomposedAttention(Operation *secondProduct)
      : operation(secondProduct) {}

  /// Whether it is one; getReason() says why not where it looks like one.
  bool match();
  Value build(OpBuilder &builder);
  const std::string &getReason() const { return reason; }

private:
  bool fail(StringRef why) {
    reason = why.str();
    return false;
  }
  /// Every form that an operand has before reshapes and transposes.
  static SmallVector<LabelledValue, 0> formsOf(LabelledValue value);
  bool matchSecondProduct(const Contraction &second, unsigned probabilitiesAt,
                          const Labels &probabilities);
  bool findOperands();
  bool labelHeads();
  bool readMask(ScoreMask mask);
  /// Whether what a finite band hides stays hidden beside all addends.
  bool staysHidden() const;
  /// Whether a constant mask is one of `causal` and `window`.
  bool readBand(const ScoreMask &mask, DenseElementsAttr data);
  Value buildBias(OpBuilder &builder) const;
  bool isParameter(Value value) const;
  AttentionLayout chooseLayout();
  Value getOperand(OpBuilder &builder, ArrayRef<LabelledValue> forms,
                   AttentionLayout layout, const Digits &sequence,
                   const Digits &dim, bool ofKeys) const;

  Operation *operation;
  std::string reason;
  SoftmaxReader reader;
  AttentionScores scores;
  double scale = 1;
  bool causal = false;
  int64_t window = 0;
  /// Whether constant masks may become them.
  bool readsBands = true;
  /// The smallest number that one hides by, a positive one.
  double weakestBand = std::numeric_limits<double>::infinity();
  /// Masks that are neither: the bias is their sum.
  SmallVector<ScoreMask, 0> addends;
  SmallVector<LabelledValue, 0> q, k, v;
  /// What the dimensions of the second product's result walk.
  Labels result;
  HeadLabels heads;
};
} // namespace

SmallVector<LabelledValue, 0>
DecomposedAttention::formsOf(LabelledValue value) {
  SmallVector<LabelledValue, 0> forms;
  do
    forms.push_back(value);
  while (value.goBeforeView(/*throughCasts=*/false));
  return forms;
}

bool DecomposedAttention::isParameter(Value value) const {
  value = skipReshapesAndCasts(value);
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    value = skipReshapesAndCasts(transpose.getInput());
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = operation->getParentOfType<func::FuncOp>();
  return argument && function &&
         argument.getOwner() == &function.getBody().front() &&
         function.getArgAttr(argument.getArgNumber(), "te.param");
}

/// Whether `value` is a softmax of which dropout has taken elements.
static bool isDroppedSoftmax(Value value) {
  value = skipReshapesAndCasts(value);
  auto dropout = value.getDefiningOp<DropoutOp>();
  return dropout &&
         SoftmaxReader::isLikeSoftmax(skipReshapesAndCasts(dropout.getX()));
}

bool DecomposedAttention::match() {
  std::optional<Contraction> second = getProduct(operation);
  if (!second)
    return false;
  if (llvm::any_of(second->operands, isDroppedSoftmax))
    return fail("its probabilities go through dropout, which te.attention does "
                "not have; without dropout of attention probabilities "
                "(attention_dropout, attn_pdrop) it is one kernel");
  unsigned at = SoftmaxReader::isLikeSoftmax(second->a()) ? 0 : 1;
  if (!SoftmaxReader::isLikeSoftmax(second->operands[at]))
    return false;
  std::optional<Labels> probabilities = reader.read(second->operands[at]);
  if (!probabilities)
    return fail(reader.getReason());
  scores = reader.getScores();
  if (scores.keys.empty())
    return fail("nothing is summed over");
  if (Operation *user = reader.findOtherUser(operation))
    return fail(("its scores or probabilities are read by '" +
                 user->getName().getStringRef() + "' as well")
                    .str());
  if (!matchSecondProduct(*second, at, *probabilities) || !findOperands() ||
      !labelHeads())
    return false;
  for (const ScoreMask &mask : scores.masks)
    if (!readMask(mask))
      return false;
  // What a finite number hides is there for queries that see nothing else; then
  // it is as hidden as what another mask hides.
  if (!addends.empty() && !staysHidden()) {
    readsBands = causal = false;
    window = 0;
    addends.clear();
    for (const ScoreMask &mask : scores.masks)
      if (!readMask(mask))
        return false;
  }
  scale *= scores.coefficient;
  if (scores.softcap != 0)
    scale *= scores.softcap;
  return true;
}

/// Whether `digits` are all of some loops among `loops`.
static bool areWhole(const Digits &digits, ArrayRef<unsigned> loops,
                     ArrayRef<int64_t> sizes) {
  Digits joined = normalize(digits);
  return llvm::all_of(joined, [&](const Digit &digit) {
    return llvm::is_contained(loops, digit.loop) && digit.stride == 1 &&
           digit.size == sizes[digit.loop];
  });
}

/// The second product sums over the softmax's keys; the other loops of the
/// probabilities stay. Finds v and what the result's dimensions walk.
bool DecomposedAttention::matchSecondProduct(const Contraction &second,
                                             unsigned probabilitiesAt,
                                             const Labels &probabilities) {
  SmallVector<Digits> loops(second.loopSizes.size());
  SmallVector<bool> known(second.loopSizes.size());
  for (auto [dim, loop] : llvm::enumerate(second.dimensions[probabilitiesAt])) {
    loops[loop] = probabilities[dim];
    known[loop] = true;
  }
  Digits summed;
  for (unsigned loop : second.k)
    summed.append(loops[loop]);
  if (!areWhole(summed, scores.keys, scores.product.loopSizes) ||
      countOf(summed) != countOf([&] {
        Digits all;
        for (unsigned key : scores.keys)
          all.append(wholeLoop(key, scores.product.loopSizes[key]));
        return all;
      }()))
    return fail("the softmax is over other dimensions than those that the "
                "second product sums over");
  for (auto [loop, size] : llvm::enumerate(second.loopSizes))
    if (!known[loop]) {
      loops[loop] = wholeLoop(kSecondProduct + unsigned(loop), size);
      heads.valueDim.append(loops[loop]);
    }
  auto labelsOf = [&](ArrayRef<unsigned> dimensions) {
    Labels labels;
    for (unsigned loop : dimensions)
      labels.push_back(loops[loop]);
    return labels;
  };
  result = labelsOf(second.dimensions[2]);
  v = formsOf({second.operands[1 - probabilitiesAt],
               labelsOf(second.dimensions[1 - probabilitiesAt])});
  return true;
}

/// Which operand of the first product are the queries, and what they were
/// before they were scaled.
bool DecomposedAttention::findOperands() {
  const Contraction &first = scores.product;
  auto isKeys = [&](ArrayRef<unsigned> side) {
    return llvm::all_of(scores.keys, [&](unsigned loop) {
      return llvm::is_contained(side, loop);
    });
  };
  if (!isKeys(first.m) && !isKeys(first.n))
    return fail("the softmax is not over the loops of one operand of the first "
                "product");
  unsigned keysAt = isKeys(first.m) ? 0 : 1;
  for (unsigned loop : keysAt ? first.n : first.m)
    if (first.loopSizes[loop] != 1 && !llvm::is_contained(scores.keys, loop))
      return fail("the softmax is over part of the keys");
  for (unsigned loop : first.k)
    heads.dim.append(wholeLoop(loop, first.loopSizes[loop]));
  auto operand = [&](unsigned at) {
    LabelledValue value{first.operands[at], {}};
    for (unsigned loop : first.dimensions[at])
      value.labels.push_back(wholeLoop(loop, first.loopSizes[loop]));
    // A factor may be in front of the transposes or behind them.
    SmallVector<LabelledValue, 0> forms = formsOf(value);
    for (size_t i = 0; i < forms.size(); ++i) {
      auto mul = forms[i].value.getDefiningOp<arith::MulFOp>();
      auto div = forms[i].value.getDefiningOp<arith::DivFOp>();
      Value scaled;
      std::optional<double> factor;
      if (mul && (factor = getNumber(mul.getRhs()))) {
        scaled = mul.getLhs();
      } else if (mul && (factor = getNumber(mul.getLhs()))) {
        scaled = mul.getRhs();
      } else if (div && (factor = getNumber(div.getRhs()))) {
        scaled = div.getLhs();
        factor = 1 / *factor;
      }
      if (!scaled || !(*factor > 0) || !std::isfinite(*factor))
        continue;
      scale *= *factor;
      forms = formsOf({scaled, forms[i].labels});
      i = size_t(-1);
    }
    return forms;
  };
  q = operand(1 - keysAt);
  k = operand(keysAt);
  Type element = tensorType(q.front().value).getElementType();
  if (tensorType(k.front().value).getElementType() != element ||
      tensorType(v.front().value).getElementType() != element)
    return fail("queries, keys and values are of several element types");
  if (isa<MatmulOp>(operation) &&
      (isParameter(k.front().value) || isParameter(v.front().value)))
    return fail("it is a linear layer, whose matrix is a parameter");
  return true;
}

/// Cuts `digits` at the strides at which any form of an operand cuts its loop.
static Digits cutLike(const Digits &digits, ArrayRef<LabelledValue> forms) {
  Digits cut;
  for (const Digit &whole : digits) {
    SmallVector<int64_t> strides;
    for (const LabelledValue &form : forms)
      for (const Digits &dimension : form.labels)
        for (const Digit &digit : dimension)
          if (digit.loop == whole.loop && digit.stride > 1)
            strides.push_back(digit.stride);
    llvm::sort(strides);
    strides.erase(llvm::unique(strides), strides.end());
    int64_t end = whole.size;
    for (int64_t stride : llvm::reverse(strides)) {
      cut.push_back({whole.loop, end / stride, stride});
      end = stride;
    }
    cut.push_back({whole.loop, end, 1});
  }
  return cut;
}

/// Sorts the loops of the scores into batches and heads, queries and keys.
bool DecomposedAttention::labelHeads() {
  const Contraction &first = scores.product;
  bool keysFirst = llvm::is_contained(first.m, scores.keys.front());
  // Of the loops that the keys lack, the last is the queries'; the others are
  // query heads that share a head of keys.
  Digits batches, others;
  for (unsigned loop : first.dimensions[2]) {
    Digits digits = wholeLoop(loop, first.loopSizes[loop]);
    if (llvm::is_contained(first.batch, loop))
      batches.append(digits);
    else if (llvm::is_contained(keysFirst ? first.n : first.m, loop))
      others.append(digits);
    else
      heads.keys.append(digits);
  }
  if (!others.empty())
    heads.queries.push_back(others.pop_back_val());
  SmallVector<LabelledValue, 0> all(q);
  all.append(k);
  all.append(v);
  heads.batchAndHeads = cutLike(batches, all);
  heads.groups = others.size();
  heads.batchAndHeads.append(others);
  // v belongs to the heads that k belongs to.
  auto sorted = [](Digits digits) {
    digits = normalize(digits);
    llvm::sort(digits, [](const Digit &a, const Digit &b) {
      return std::tuple(a.loop, -a.stride) < std::tuple(b.loop, -b.stride);
    });
    return normalize(digits);
  };
  Digits wanted = batches;
  wanted.append(heads.keys);
  Digits expected = wanted;
  expected.append(heads.valueDim);
  if (sorted(flatten(v.front().labels)) != sorted(expected))
    return fail("its values are of other heads than its keys");
  if (countOf(heads.valueDim) != countOf(heads.dim))
    return fail("its values have another head dimension than its queries and "
                "keys");
  if (heads.keys.size() > 1 || heads.dim.size() > 1 ||
      heads.valueDim.size() > 1)
    return fail("its keys or its head dimension are several dimensions");
  return true;
}

// A penalty that only makes keys less likely hides none.
static constexpr double kHidden = -1e4;

/// Constants as small as the slopes of ALiBi leave the difference between a key
/// that the band hides and one that it does not, of which each query has one.
bool DecomposedAttention::staysHidden() const {
  if (std::isinf(weakestBand))
    return true;
  double most = 0;
  for (const ScoreMask &mask : addends) {
    DenseElementsAttr data;
    if (!mask.isAddend || !matchPattern(mask.value, m_Constant(&data)) ||
        !data.getElementType().isF32())
      return false;
    double largest = 0;
    for (float value : data.getValues<float>()) {
      if (!std::isfinite(value))
        return false;
      largest = std::max(largest, std::abs(double(value)));
    }
    most += largest * std::abs(mask.factor);
  }
  return weakestBand - 2 * most >= -kHidden;
}

/// Takes in what is added to the scores or hides keys.
bool DecomposedAttention::readMask(ScoreMask mask) {
  LabelledValue source{mask.value, mask.labels};
  while (source.goBeforeView(/*throughCasts=*/true) ||
         source.goBeforeBroadcast())
    ;
  mask.value = source.value;
  mask.labels = source.labels;
  auto readBoth = [&](Value a, Value b) {
    ScoreMask other = mask;
    mask.value = a;
    other.value = b;
    return readMask(mask) && readMask(other);
  };
  if (mask.isAddend)
    if (auto sum = getSum(mask.value))
      return readBoth(sum->first, sum->second);
  if (!mask.isAddend && !mask.hides)
    if (auto both = mask.value.getDefiningOp<arith::AndIOp>())
      return readBoth(both.getLhs(), both.getRhs());
  if (!mask.isAddend && !(mask.factor <= kHidden))
    return fail("some of its scores are replaced by something else than "
                "-infinity");
  DenseElementsAttr data;
  if (readsBands && matchPattern(mask.value, m_Constant(&data)) &&
      readBand(mask, data))
    return true;
  // A query whose keys are all hidden has equal scores, which pass no gradient.
  // Added to scores, the same number would.
  if (!mask.isAddend && !std::isinf(mask.factor))
    return fail("scores are replaced by a finite number, perhaps all that a "
                "query has");
  Type element = tensorType(mask.value).getElementType();
  if (mask.isAddend ? !element.isF32() && !element.isBF16()
                    : !element.isInteger(1))
    return fail("what is added to its scores is not of float32 or bfloat16");
  // One number for all keys of a query changes nothing; a model that adds it
  // means something else.
  if (heads.keys.empty() || normalize(heads.keys) != [&] {
        Digits keys;
        for (const Digit &digit : normalize(flatten(mask.labels)))
          if (digit.loop == heads.keys.front().loop)
            keys.push_back(digit);
        return keys;
      }())
    return fail("what is added to its scores does not walk all keys");
  addends.push_back(mask);
  return true;
}

/// Whether the rows of a constant mask hide keys as `causal` and `window` do.
bool DecomposedAttention::readBand(const ScoreMask &mask,
                                   DenseElementsAttr data) {
  bool isAddend = mask.isAddend, hides = mask.hides;
  double factor = mask.factor;
  if (isAddend ? !data.getElementType().isF32()
               : !data.getElementType().isInteger(1))
    return false;
  SmallVector<float> floats;
  SmallVector<bool> bools;
  if (isAddend)
    floats.assign(data.value_begin<float>(), data.value_end<float>());
  else
    bools.assign(data.value_begin<bool>(), data.value_end<bool>());
  bool onlyHides = true;
  double weakest = isAddend ? weakestBand : std::min(weakestBand, -factor);
  auto allows = [&](int64_t at) {
    if (!isAddend)
      return bools[at] != hides;
    double value = floats[at] * factor;
    onlyHides &= value == 0 || value <= kHidden;
    if (value != 0)
      weakest = std::min(weakest, -value);
    return value == 0;
  };
  // Rows of the mask: its digits but the keys'.
  int64_t queries = countOf(heads.queries), keys = countOf(heads.keys);
  Digits digits = normalize(flatten(mask.labels));
  SmallVector<int64_t> strides(digits.size());
  int64_t step = 1, keyStep = 0;
  for (size_t i = digits.size(); i-- > 0; step *= digits[i].size) {
    strides[i] = step;
    if (heads.keys.empty() || digits[i].loop != heads.keys.front().loop)
      continue;
    if (digits[i].size != keys)
      return false;
    keyStep = step;
  }
  int64_t query = heads.queries.empty() ? -1 : heads.queries.front().loop;
  bool hasQueries = false;
  BandMask band(queries, keys);
  int64_t rows = keyStep ? data.getNumElements() / keys : data.getNumElements();
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row, base = 0, i = 0;
    for (size_t d = digits.size(); d-- > 0;) {
      if (keyStep && strides[d] == keyStep && digits[d].size == keys &&
          digits[d].loop == heads.keys.front().loop)
        continue;
      int64_t digit = rest % digits[d].size;
      rest /= digits[d].size;
      base += digit * strides[d];
      if (int64_t(digits[d].loop) == query) {
        i += digit * digits[d].stride;
        hasQueries = true;
      }
    }
    auto sees = [&](int64_t key) { return allows(base + key * keyStep); };
    if (hasQueries || queries == 1) {
      band.addRow(i, sees);
      continue;
    }
    // One row for all queries.
    for (int64_t each = 0; each < queries; ++each)
      band.addRow(each, sees);
  }
  if (!onlyHides || !band.isBand())
    return false;
  weakestBand = weakest;
  causal |= band.isCausal();
  if (int64_t size = band.getWindow())
    window = window ? std::min(window, size) : size;
  return true;
}

AttentionLayout DecomposedAttention::chooseLayout() {
  auto has = [&](ArrayRef<LabelledValue> forms, AttentionLayout layout,
                 const Digits &sequence, const Digits &dim, bool ofKeys) {
    Digits order = normalize(heads.order(layout, sequence, dim, ofKeys));
    return llvm::any_of(forms, [&](const LabelledValue &form) {
      return normalize(flatten(form.labels)) == order;
    });
  };
  auto suits = [&](AttentionLayout layout) {
    return has(q, layout, heads.queries, heads.dim, false) &&
           has(k, layout, heads.keys, heads.dim, true) &&
           has(v, layout, heads.keys, heads.valueDim, true);
  };
  // All digits may be batches, up to the groups; where heads lie behind the
  // sequence, they say where batches end.
  size_t last = heads.batchAndHeads.size() - heads.groups;
  for (heads.cut = 0; heads.cut <= last; ++heads.cut)
    if (suits(AttentionLayout::BSHD) && !suits(AttentionLayout::BHSD))
      return AttentionLayout::BSHD;
  for (heads.cut = 0; heads.cut <= last; ++heads.cut)
    if (suits(AttentionLayout::BSHD) &&
        countOf(heads.heads(/*ofKeys=*/false)) > 1)
      return AttentionLayout::BSHD;
  // Where most operands have the dimensions that te.attention wants; otherwise
  // the last loop of both is heads.
  auto isThere = [&](ArrayRef<LabelledValue> forms, const Digits &sequence,
                     const Digits &dim, bool ofKeys) {
    SmallVector<int64_t> shape =
        heads.shape(AttentionLayout::BHSD, sequence, dim, ofKeys);
    return llvm::any_of(forms, [&](const LabelledValue &form) {
      return tensorType(form.value).getShape() == ArrayRef(shape) &&
             normalize(flatten(form.labels)) ==
                 normalize(
                     heads.order(AttentionLayout::BHSD, sequence, dim, ofKeys));
    });
  };
  size_t usual = last;
  while (usual > 0 && heads.groups == 0 &&
         heads.batchAndHeads[usual - 1].loop ==
             heads.batchAndHeads[last - 1].loop)
    --usual;
  size_t best = usual;
  int most = -1;
  for (size_t i = 0; i <= last + 1; ++i) {
    heads.cut = i == 0 ? usual : i - 1;
    int count = isThere(q, heads.queries, heads.dim, false) +
                isThere(k, heads.keys, heads.dim, true) +
                isThere(v, heads.keys, heads.valueDim, true);
    if (count > most) {
      most = count;
      best = heads.cut;
    }
  }
  heads.cut = best;
  return AttentionLayout::BHSD;
}

Value DecomposedAttention::getOperand(OpBuilder &builder,
                                      ArrayRef<LabelledValue> forms,
                                      AttentionLayout layout,
                                      const Digits &sequence, const Digits &dim,
                                      bool ofKeys) const {
  Digits order = heads.order(layout, sequence, dim, ofKeys);
  SmallVector<int64_t> shape = heads.shape(layout, sequence, dim, ofKeys);
  const LabelledValue *chosen = &forms.front();
  for (const LabelledValue &form : forms) {
    if (normalize(flatten(form.labels)) != normalize(order))
      continue;
    bool isThere = tensorType(form.value).getShape() == ArrayRef(shape);
    if (isThere || chosen == &forms.front())
      chosen = &form;
    if (isThere)
      break;
  }
  return reorder(builder, operation->getLoc(), chosen->value,
                 flatten(chosen->labels), order, shape);
}

/// The masks that have no other name, [B|1, H|1, Sq|1, Sk], added up.
Value DecomposedAttention::buildBias(OpBuilder &builder) const {
  Location loc = operation->getLoc();
  Type f32 = builder.getF32Type();
  struct Part {
    Value value;
    std::array<bool, 4> has;
  };
  SmallVector<Part> parts;
  std::array<bool, 4> all{};
  const Digits dims[] = {heads.batch(), heads.heads(/*ofKeys=*/false),
                         heads.queries, heads.keys};
  for (const ScoreMask &mask : addends) {
    Value value = mask.value;
    RankedTensorType type = tensorType(value);
    auto number = [&](double number) -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          SplatElementsAttr::get(type.clone(f32),
                                 builder.getF32FloatAttr(float(number))));
    };
    if (!mask.isAddend)
      value = arith::SelectOp::create(builder, loc, value,
                                      number(mask.hides ? mask.factor : 0.0),
                                      number(mask.hides ? 0.0 : mask.factor));
    else if (mask.factor != 1)
      value = arith::MulFOp::create(
          builder, loc, convertElementType(builder, loc, value, f32),
          number(mask.factor));
    // A dimension that it walks in part is repeated to all of it.
    Digits walked = flatten(mask.labels), order;
    SmallVector<int64_t> shape;
    Part part{{}, {}};
    for (auto [dim, digits] : llvm::enumerate(dims)) {
      part.has[dim] = llvm::any_of(digits, [&](const Digit &digit) {
        return llvm::any_of(walked, [&](const Digit &other) {
          return other.loop == digit.loop &&
                 other.stride < digit.stride * digit.size &&
                 digit.stride < other.stride * other.size;
        });
      });
      all[dim] |= part.has[dim];
      shape.push_back(part.has[dim] ? countOf(digits) : 1);
      if (part.has[dim])
        order.append(digits);
    }
    if (countOf(order) != countOf(walked))
      return {};
    part.value = reorder(builder, loc, value, walked, order, shape);
    parts.push_back(part);
  }
  SmallVector<int64_t> shape;
  for (auto [dim, digits] : llvm::enumerate(dims))
    shape.push_back(all[dim] ? countOf(digits) : 1);
  Value sum;
  for (Part &part : parts) {
    Value value = part.value;
    if (tensorType(value).getShape() != ArrayRef(shape)) {
      SmallVector<int64_t> kept, repeated;
      for (int64_t dim = 0; dim < 4; ++dim)
        if (all[dim] && !part.has[dim])
          repeated.push_back(dim);
        else
          kept.push_back(shape[dim]);
      value = reshapeTo(builder, loc, value, kept);
      Value init = tensor::EmptyOp::create(builder, loc, shape,
                                           tensorType(value).getElementType());
      value = linalg::BroadcastOp::create(builder, loc, value, init, repeated)
                  ->getResult(0);
    }
    if (sum)
      value = addTensors(builder, loc, sum, value);
    sum = value;
  }
  return sum;
}

Value DecomposedAttention::build(OpBuilder &builder) {
  Location loc = operation->getLoc();
  AttentionLayout layout = chooseLayout();
  Value bias;
  if (!addends.empty() && !(bias = buildBias(builder))) {
    fail("what is added to its scores walks heads or batches in part");
    return {};
  }
  Value queries =
      getOperand(builder, q, layout, heads.queries, heads.dim, false);
  Value keys = getOperand(builder, k, layout, heads.keys, heads.dim, true);
  Value values =
      getOperand(builder, v, layout, heads.keys, heads.valueDim, true);
  Value o =
      AttentionOp::create(builder, loc, queries, keys, values, float(scale),
                          causal, layout, bias, window, float(scores.softcap))
          .getO();
  auto type = cast<RankedTensorType>(operation->getResult(0).getType());
  o = reorder(builder, loc, o,
              heads.order(layout, heads.queries, heads.valueDim, false),
              flatten(result), type.getShape());
  return convertElementType(builder, loc, o, type.getElementType());
}

void mlir::te::raiseDecomposedAttention(Operation *root) {
  SmallVector<Operation *> products;
  root->walk([&](Operation *op) {
    if (isa<linalg::LinalgOp, MatmulOp>(op))
      products.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : products) {
    DecomposedAttention attention(op);
    rewriter.setInsertionPoint(op);
    Value o = attention.match() ? attention.build(rewriter) : Value();
    if (!o && attention.getReason().empty())
      continue;
    auto function = op->getParentOfType<func::FuncOp>();
    auto options = remark::RemarkOpts::name("Attention")
                       .category("te-raise")
                       .function(function ? function.getName() : StringRef());
    if (!o) {
      remark::missed(op->getLoc(), options)
          << remark::reason("a product with a softmax stays as it is, in "
                            "generated kernels that store all scores: {0}",
                            attention.getReason());
      continue;
    }
    remark::passed(op->getLoc(), options)
        << remark::add("products around a softmax are attention");
    rewriter.replaceOp(op, o);
  }
}
