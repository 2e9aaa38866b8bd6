// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises products around a softmax to te.attention.

#include "Raise/AttentionHeads.h"
#include "Raise/AttentionMasks.h"
#include "Raise/Matchers.h"
#include "Raise/Raise.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

/// Number of the first loop of the second product that the first one lacks.
static constexpr unsigned kSecondProduct = 1000;

namespace {
/// One product around a softmax as te.attention.
class DecomposedAttention {
public:
  explicit DecomposedAttention(Operation *secondProduct)
      : operation(secondProduct) {}

  /// True if it is one; else getReason() gives the reason if it is similar.
  bool match();
  Value build(OpBuilder &builder);
  const std::string &getReason() const { return reason; }
  /// The difference from the ops that it replaces; empty if none.
  std::string getDifference() const;

private:
  bool fail(StringRef why) {
    reason = why.str();
    return false;
  }
  bool matchSecondProduct(const Contraction &second, unsigned probabilitiesAt,
                          const Labels &probabilities);
  bool findOperands();
  bool isParameter(Value value) const;
  Value buildSinks(OpBuilder &builder) const;

  Operation *operation;
  std::string reason;
  SoftmaxReader reader;
  AttentionScores scores;
  double scale = 1;
  AttentionHeads heads;
  AttentionMasks masks{heads.labels};
  /// The labels of the second product's result.
  Labels result;
};
} // namespace

bool DecomposedAttention::isParameter(Value value) const {
  value = skipReshapesAndCasts(value);
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    value = skipReshapesAndCasts(transpose.getInput());
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = operation->getParentOfType<func::FuncOp>();
  return argument && function &&
         argument.getOwner() == &function.getBody().front() &&
         function.getArgAttr(argument.getArgNumber(), kParamAttr);
}

/// True if `value` is a softmax followed by dropout.
static bool isDroppedSoftmax(Value value) {
  value = skipReshapesAndCasts(value);
  auto dropout = value.getDefiningOp<DropoutOp>();
  return dropout &&
         SoftmaxReader::isLikeSoftmax(skipReshapesAndCasts(dropout.getX()));
}

bool DecomposedAttention::match() {
  std::optional<Contraction> second = getProduct(operation);
  // Skips products without elements.
  if (!second || llvm::is_contained(second->loopSizes, 0))
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
  if (!matchSecondProduct(*second, at, *probabilities) || !findOperands())
    return false;
  if (const char *why = heads.sortLoops(scores.product, scores.keys))
    return fail(why);
  if (!masks.read(scores.masks))
    return fail(masks.getReason());
  scale *= scores.coefficient;
  if (scores.softcap != 0)
    scale *= scores.softcap;
  return true;
}

/// True if `digits` are all of some loops among `loops`.
static bool areWhole(const Digits &digits, ArrayRef<unsigned> loops,
                     ArrayRef<int64_t> sizes) {
  Digits joined = normalize(digits);
  return llvm::all_of(joined, [&](const Digit &digit) {
    return llvm::is_contained(loops, digit.loop) && digit.stride == 1 &&
           digit.size == sizes[digit.loop];
  });
}

/// The second product sums over the softmax's keys; the other loops of the
/// probabilities stay. Finds v and the labels of the result.
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
      heads.labels.valueDim.append(loops[loop]);
    }
  auto labelsOf = [&](ArrayRef<unsigned> dimensions) {
    Labels labels;
    for (unsigned loop : dimensions)
      labels.push_back(loops[loop]);
    return labels;
  };
  result = labelsOf(second.dimensions[2]);
  heads.v = formsOf({second.operands[1 - probabilitiesAt],
                     labelsOf(second.dimensions[1 - probabilitiesAt])});
  return true;
}

/// Finds the queries among the operands of the first product, and their sources
/// before scaling.
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
    heads.labels.dim.append(wholeLoop(loop, first.loopSizes[loop]));
  auto operand = [&](unsigned at) {
    LabelledValue value{first.operands[at], {}};
    for (unsigned loop : first.dimensions[at])
      value.labels.push_back(wholeLoop(loop, first.loopSizes[loop]));
    // A factor may be before the transposes or after them.
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
  heads.q = operand(1 - keysAt);
  heads.k = operand(keysAt);
  Type element = tensorType(heads.q.front().value).getElementType();
  if (tensorType(heads.k.front().value).getElementType() != element ||
      tensorType(heads.v.front().value).getElementType() != element)
    return fail("queries, keys and values are of several element types");
  if (isa<MatmulOp>(operation) && (isParameter(heads.k.front().value) ||
                                   isParameter(heads.v.front().value)))
    return fail("it is a linear layer, whose matrix is a parameter");
  return true;
}

/// The sinks as [H] numbers of float32; null if they differ between batches or
/// queries.
Value DecomposedAttention::buildSinks(OpBuilder &builder) const {
  LabelledValue sink = scores.sink;
  while (sink.goBeforeView(/*throughCasts=*/true) || sink.goBeforeBroadcast())
    ;
  Location loc = operation->getLoc();
  Digits from = normalize(flatten(sink.labels)),
         to = heads.labels.heads(/*ofKeys=*/false);
  if (!walksSame(from, to))
    return {};
  return convertElementType(
      builder, loc, reorder(builder, loc, sink.value, from, to, {countOf(to)}),
      builder.getF32Type());
}

Value DecomposedAttention::build(OpBuilder &builder) {
  Location loc = operation->getLoc();
  AttentionLayout layout = heads.chooseLayout();
  Value bias;
  if (masks.hasBias() && !(bias = masks.buildBias(builder, loc))) {
    fail("what is added to its scores walks heads or batches in part");
    return {};
  }
  Value sinks;
  if (scores.sink.value && !(sinks = buildSinks(builder))) {
    fail("its sinks are not one number for each head");
    return {};
  }
  Value o =
      AttentionOp::create(builder, loc, heads.getQueries(builder, loc, layout),
                          heads.getKeys(builder, loc, layout),
                          heads.getValues(builder, loc, layout), float(scale),
                          masks.isCausal(), layout, bias, masks.getWindow(),
                          float(scores.softcap), /*lengths=*/{}, sinks)
          .getO();
  auto type = cast<RankedTensorType>(operation->getResult(0).getType());
  o = reorder(builder, loc, o,
              heads.labels.order(layout, heads.labels.queries,
                                 heads.labels.valueDim, false),
              flatten(result), type.getShape());
  return convertElementType(builder, loc, o, type.getElementType());
}

std::string DecomposedAttention::getDifference() const {
  using HiddenQueries = AttentionMasks::HiddenQueries;
  HiddenQueries hidden = masks.hidesQueries();
  if (hidden == HiddenQueries::None || scores.hasZeroRows || scores.sink.value)
    return {};
  return hidden == HiddenQueries::Some
             ? "its mask hides all keys of a query, whose output is 0 now; the "
               "softmax of -infinity alone is NaN"
             : "a query whose keys its mask all hides by -infinity has the "
               "output 0 now, not NaN";
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
    if (std::string difference = attention.getDifference();
        !difference.empty()) {
      auto hidden = remark::RemarkOpts::name("HiddenQueries")
                        .category("te-raise")
                        .function(function ? function.getName() : StringRef());
      remark::analysis(op->getLoc(), hidden) << remark::add("{0}", difference);
    }
    rewriter.replaceOp(op, o);
  }
}
