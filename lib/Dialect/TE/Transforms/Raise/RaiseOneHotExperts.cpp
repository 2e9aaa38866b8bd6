// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises mixtures that compute all experts for all rows, or for all places in
// experts' capacities, and multiply with masks that are zero but for chosen
// ones: the chosen experts alone are computed, by te.expert_matmul.

#include "Raise/ChosenRows.h"
#include "Raise/Matchers.h"
#include "Raise/Raise.h"

#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/DeadOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallSet.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

namespace {
/// A sum over experts, and perhaps positions in their capacity, of terms that
/// are zero for all but a few experts of each row.
class SumOverExperts {
public:
  SumOverExperts(linalg::GenericOp op, ConstantEvaluator &evaluator);

  /// Builds the same of the chosen experts in front of the op; null if its
  /// experts are not those of the loop `experts`, or it does not pay.
  Value build(unsigned experts, std::optional<unsigned> positions,
              bool multipliesRows);
  /// The loops of an op that it sums over.
  Digits getSums() { return masks.getSums(op, labels); }

private:
  Value buildIn(OpBuilder &builder);
  Value buildSum(OpBuilder &builder, Value rows, Value weights);
  bool pays(const ChosenRows &rows) const;

  linalg::GenericOp op;
  OneHotMasks masks;
  Labels labels;
  unsigned experts;
  std::optional<unsigned> positions;
  bool multipliesRows;
};
} // namespace

SumOverExperts::SumOverExperts(linalg::GenericOp op,
                               ConstantEvaluator &evaluator)
    : op(op), masks(evaluator) {
  Value result = op.getResult(0);
  auto add = [&](Digits &digits, int64_t size) {
    digits.append(wholeLoop(masks.addLoop(size), size));
  };
  for (int64_t size : tensorShape(result))
    add(labels.emplace_back(), size);
  // Dimensions that were folded into one for the sum are several.
  auto expand = result.hasOneUse()
                    ? dyn_cast<tensor::ExpandShapeOp>(*result.user_begin())
                    : nullptr;
  if (!expand)
    return;
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    labels[dim].clear();
    for (int64_t part : group)
      add(labels[dim], expand.getType().getDimSize(part));
  }
}

/// Each expert may add rows without one to a block. Products decide; of small
/// ones, what surrounds them.
bool SumOverExperts::pays(const ChosenRows &rows) const {
  constexpr double blockRows = 64;
  const double numRows = double(rows.getNumRows());
  const double count = double(masks.getSize(experts));
  const double padded = numRows + std::min(numRows, count) * blockRows;
  return rows.getProducts() > 0 && rows.getProducts() * (padded / numRows) <=
                                       rows.getReplaced() + countWork(op);
}

/// The sum over the choices of each row, [T·k, F], perhaps with weights [T·k],
/// in the shape of the result.
Value SumOverExperts::buildSum(OpBuilder &builder, Value rows, Value weights) {
  Location loc = op.getLoc();
  RankedTensorType type = tensorType(op.getResult(0));
  const int64_t features = tensorDim(rows, 1);
  const int64_t count = type.getNumElements() / features;
  const int64_t choices = tensorDim(rows, 0) / count;
  MLIRContext *context = builder.getContext();
  AffineMap all = AffineMap::getMultiDimIdentityMap(3, context);
  SmallVector<Value> inputs{
      reshapeTo(builder, loc, rows, {count, choices, features})};
  SmallVector<AffineMap> maps{all};
  if (weights) {
    inputs.push_back(reshapeTo(builder, loc, weights, {count, choices}));
    maps.push_back(all.dropResult(2));
  }
  maps.push_back(all.dropResult(1));
  RankedTensorType result = type.clone({count, features});
  Value zeros =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(result));
  auto parallel = utils::IteratorType::parallel;
  auto sum = linalg::GenericOp::create(
      builder, loc, result, inputs, zeros, maps,
      {parallel, utils::IteratorType::reduction, parallel},
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        auto widen = [&](Value value) {
          return convertScalarToDtype(inside, loc, value, type.getElementType(),
                                      /*isUnsignedCast=*/false);
        };
        Value term = widen(arguments[0]);
        if (weights)
          term = arith::MulFOp::create(inside, loc, term, widen(arguments[1]));
        Value total =
            arith::AddFOp::create(inside, loc, arguments.back(), term);
        linalg::YieldOp::create(inside, loc, total);
      });
  return sum.getResult(0);
}

Value SumOverExperts::buildIn(OpBuilder &builder) {
  Location loc = op.getLoc();
  SmallVector<LabelledValue> inputs(masks.getInputs(op, labels));
  if (inputs.size() != op.getInputs().size())
    return {};
  const bool multiplies = addsProducts(op);
  if (!multiplies && (inputs.size() != 1 || !addsUp(*op.getBody())))
    return {};
  // The input that is zero for experts that are not chosen.
  std::optional<unsigned> zero;
  for (auto [number, input] : llvm::enumerate(inputs)) {
    Digits digits = flatten(input.labels);
    if (!contains(digits, experts) ||
        (positions && !contains(digits, *positions)))
      return {};
    Facts facts = masks.evaluate(input);
    if (zero || !facts.other.is(0) || facts.scope == Facts::Scope::None ||
        !masks.getChoices().value)
      continue;
    zero = number;
  }
  if (!zero)
    return {};
  LabelledValue mask = inputs[*zero];
  Digits ofResult = masks.unify(flatten(labels));
  ChosenRows rows(builder, loc, masks, experts, ofResult);
  Digits features;
  for (const Digit &digit : ofResult)
    if (!rows.isRow(digit))
      features.push_back(digit);
  if (features.empty() ||
      ofResult.size() != rows.getRows().size() + features.size())
    return {};
  if (positions &&
      (!multiplies ||
       !rows.setPlaces(mask, masks.getSize(*positions), multipliesRows)))
    return {};
  const Facts::Scope scope =
      rows.getChoices() > 1 ? Facts::Scope::Row : Facts::Scope::Choice;
  if (masks.evaluate(mask).scope != scope || !rows.buildGroups())
    return {};
  Digits sums;
  for (const Digit &digit : masks.unify(masks.getSums(op, labels)))
    if (digit.loop != experts && digit.loop != positions)
      sums.push_back(digit);
  ChosenRows::Rows ofExperts;
  Type element = getElementTypeOrSelf(op.getResult(0));
  Value weights;
  if (sums.empty()) {
    const LabelledValue &terms = multiplies ? inputs[1 - *zero] : mask;
    ofExperts = rows.buildRows(terms, features);
    if (multiplies)
      weights = rows.buildMask(mask);
    if (multiplies && !weights)
      return {};
  } else if (multiplies && !positions) {
    const LabelledValue &matrices = inputs[1 - *zero];
    Digits both(features);
    both.append(sums);
    if (rows.areMatrices(matrices, both))
      ofExperts = rows.buildProduct(mask, matrices, sums, features, element);
  }
  if (!ofExperts)
    return {};
  if (positions) {
    Value none = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(weights.getType()));
    weights =
        arith::SelectOp::create(builder, loc, rows.getKept(), weights, none);
  }
  Value result = buildSum(builder, ofExperts.value, weights);
  if (rows.dropsZeros() && !(ofExperts.isZero && ofExperts.wasZero))
    return {};
  if (!rows.replacesAll(op) || !pays(rows))
    return {};
  Digits order(rows.getRows());
  order.append(features);
  return reorder(builder, loc, result, order, ofResult,
                 tensorShape(op.getResult(0)));
}

Value SumOverExperts::build(unsigned expertLoop,
                            std::optional<unsigned> positionLoop,
                            bool multiplies) {
  experts = expertLoop;
  positions = positionLoop;
  multipliesRows = multiplies;
  masks.setExperts(experts);
  if (positions)
    masks.setPositions(*positions);
  // What is built in vain is not left behind.
  Block built;
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToEnd(&built);
  Value result = buildIn(builder);
  if (!result) {
    for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(built)))
      inner.erase();
    return {};
  }
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         built.getOperations());
  return result;
}

/// The sizes of tensors in which integers are compared.
static llvm::SmallSet<int64_t, 16> getComparedSizes(func::FuncOp function) {
  llvm::SmallSet<int64_t, 16> sizes;
  function.walk([&](arith::CmpIOp op) {
    if (op.getPredicate() != arith::CmpIPredicate::eq)
      return;
    if (auto type = dyn_cast<RankedTensorType>(op.getLhs().getType()))
      for (int64_t size : type.getShape())
        sizes.insert(size);
    else if (auto kernel = op->getParentOfType<linalg::GenericOp>())
      for (int64_t size : kernel.getStaticLoopRanges())
        sizes.insert(size);
  });
  return sizes;
}

static Value buildChosen(linalg::GenericOp op, ConstantEvaluator &evaluator,
                         const llvm::SmallSet<int64_t, 16> &sizes) {
  const Digits sums = SumOverExperts(op, evaluator).getSums();
  for (const Digit &experts : sums) {
    if (!sizes.contains(experts.size))
      continue;
    if (Value value = SumOverExperts(op, evaluator)
                          .build(experts.loop, std::nullopt, false))
      return value;
    for (const Digit &positions : sums)
      for (bool multiplies : {false, true})
        if (positions.loop != experts.loop && sums.size() == 2)
          if (Value value =
                  SumOverExperts(op, evaluator)
                      .build(experts.loop, positions.loop, multiplies))
            return value;
  }
  return {};
}

void mlir::te::raiseOneHotExperts(Operation *root) {
  root->walk([&](func::FuncOp function) {
    if (function.isExternal())
      return;
    auto sizes = getComparedSizes(function);
    if (sizes.empty())
      return;
    SmallVector<linalg::GenericOp> ops;
    function.walk([&](linalg::GenericOp op) {
      if (op.getNumReductionLoops() == 0 || op.getNumResults() != 1 ||
          !op.hasPureTensorSemantics())
        return;
      std::optional<Accumulation> sum = Accumulation::get(op);
      if (sum && isa<arith::AddFOp>(sum->op))
        ops.push_back(op);
    });
    ConstantEvaluator evaluator;
    IRRewriter rewriter(function.getContext());
    for (linalg::GenericOp op : ops) {
      Type element = getElementTypeOrSelf(op.getResult(0));
      if (!element.isF32() && !element.isBF16())
        continue;
      Value value = buildChosen(op, evaluator, sizes);
      if (!value)
        continue;
      remark::passed(op.getLoc(), remark::RemarkOpts::name("ChosenExperts")
                                      .category("te-raise")
                                      .function(function.getName()))
          << remark::add("'{0}' sums over experts that rows have chosen",
                         op->getName().getStringRef());
      rewriter.replaceOp(op, value);
      evaluator.clear();
    }
    for (Block &block : function.getBody())
      eraseDeadOps(block);
  });
}
