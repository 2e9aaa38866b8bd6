// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises sums of log-probabilities of labels to te.cross_entropy.

#include "Raise/LoopLabels.h"
#include "Raise/Matchers.h"
#include "Raise/Raise.h"
#include "Raise/RowScores.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;

/// The operand that `op` sums to one number; null if it is another op.
static Value getSummedUp(Operation *op) {
  auto reduction = dyn_cast<linalg::LinalgOp>(op);
  if (!reduction || !reduction.hasPureTensorSemantics() ||
      reduction.getNumDpsInputs() != 1 || reduction.getNumDpsInits() != 1 ||
      reduction.getNumParallelLoops() != 0 ||
      reduction.getNumReductionLoops() == 0)
    return {};
  Value terms = reduction.getDpsInputOperand(0)->get();
  auto type = dyn_cast<RankedTensorType>(terms.getType());
  if (!type || !type.hasStaticShape() || op->getNumResults() != 1 ||
      tensorType(op->getResult(0)).getNumElements() != 1 ||
      type.getRank() != int64_t(reduction.getNumLoops()) ||
      !reduction.getMatchingIndexingMap(reduction.getDpsInputOperand(0))
           .isPermutation() ||
      !isZero(reduction.getDpsInitOperand(0)->get()) ||
      !addsUp(*reduction.getBlock()))
    return {};
  return terms;
}

namespace {
/// factor * sum of log p[i, labels[i]] over the rows that `counts` selects, or
/// all.
class SummedLogProbabilities {
public:
  explicit SummedLogProbabilities(Operation *sum) : sum(sum) {}

  bool match();
  /// Replaces the sum, and the factor that makes it a mean, by
  /// te.cross_entropy.
  void replace(IRRewriter &rewriter);

private:
  bool readTerms(Value terms);
  bool isNumberOfRows(Value value) const;
  /// Traces users of the sum up to the mean over the rows that count.
  void findMean();

  Operation *sum;
  std::optional<RowScores> scores;
  int64_t rows = 0;
  double factor = 1;
  Value counts;
  /// The replaced value, a multiple of the sum, and whether it is their mean.
  Value place;
  bool isMean = false;
};
} // namespace

bool SummedLogProbabilities::readTerms(Value terms) {
  terms = skipReshapesAndCasts(terms);
  if (Value negated = getNegated(terms)) {
    factor = -factor;
    return readTerms(negated);
  }
  if (auto div = terms.getDefiningOp<arith::DivFOp>())
    if (auto number = getNumber(div.getRhs()); number && *number != 0) {
      factor /= *number;
      return readTerms(div.getLhs());
    }
  if (auto select = terms.getDefiningOp<arith::SelectOp>();
      select && !counts && getNumber(select.getFalseValue()) == 0.0 &&
      isa<RankedTensorType>(select.getCondition().getType())) {
    counts = select.getCondition();
    return readTerms(select.getTrueValue());
  }
  if (auto mul = terms.getDefiningOp<arith::MulFOp>())
    for (auto [a, b] : {std::pair(mul.getLhs(), mul.getRhs()),
                        std::pair(mul.getRhs(), mul.getLhs())}) {
      if (auto number = getNumber(b)) {
        factor *= *number;
        return readTerms(a);
      }
      auto truth = skipReshapesAndCasts(b).getDefiningOp<arith::UIToFPOp>();
      if (truth && !counts &&
          tensorType(truth.getIn()).getElementType().isInteger(1)) {
        RowScores tried(tensorType(terms).getNumElements());
        if (tried.add(a, 1) && tried.isLogProbability()) {
          counts = truth.getIn();
          return readTerms(a);
        }
      }
    }
  RankedTensorType type = tensorType(terms);
  rows = type.getNumElements();
  scores.emplace(rows);
  if (scores->add(terms, 1) && scores->isLogProbability())
    return true;
  // The sum over classes and rows at once.
  if (type.getRank() < 2)
    return false;
  rows = type.getNumElements() / type.getShape().back();
  scores.emplace(rows);
  return scores->addOneHot(terms, 1) && scores->isLogProbability();
}

bool SummedLogProbabilities::match() {
  Value terms = getSummedUp(sum);
  if (!terms || tensorType(terms).getNumElements() == 0 || !readTerms(terms))
    return false;
  Type element = tensorType(scores->getLogits()).getElementType(),
       result = tensorType(sum->getResult(0)).getElementType();
  if (!(element.isF32() || element.isBF16()) || !result.isF32() ||
      (counts && tensorType(counts).getNumElements() != rows))
    return false;
  factor *= scores->getPicked();
  place = sum->getResult(0);
  findMean();
  return true;
}

/// The operand of a maximum with 1, of floats or of integers; null for others.
static Value getAtLeastOne(Value value) {
  Operation *op = skipReshapes(value).getDefiningOp();
  if (!op || !isa<arith::MaximumFOp, arith::MaxSIOp>(op))
    return {};
  auto isOne = [](Value value) {
    DenseIntElementsAttr data;
    return getNumber(value) == 1.0 ||
           (matchPattern(value, m_Constant(&data)) && data.isSplat() &&
            data.getSplatValue<APInt>().isOne());
  };
  for (bool swap : {false, true})
    if (isOne(op->getOperand(swap)))
      return skipReshapes(op->getOperand(!swap));
  return {};
}

/// max(1, the number of true elements of `counts`)
bool SummedLogProbabilities::isNumberOfRows(Value value) const {
  // Of booleans as floats, or of integers that are converted to a float later.
  auto asFloat = skipReshapes(value).getDefiningOp<arith::SIToFPOp>();
  Value number = getAtLeastOne(asFloat ? asFloat.getIn() : value);
  if (!number || !counts)
    return false;
  if (auto convert = number.getDefiningOp<arith::SIToFPOp>())
    number = skipReshapes(convert.getIn());
  auto op = number.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumParallelLoops() != 0)
    return false;
  Operation *truth =
      skipReshapes(op.getDpsInputOperand(0)->get()).getDefiningOp();
  if (!truth || !isa<arith::UIToFPOp, arith::ExtUIOp>(truth) ||
      !isSameData(truth->getOperand(0), counts))
    return false;
  if (isa<arith::UIToFPOp>(truth))
    return getSummedUp(op) != nullptr;
  auto yield = op.getBlock()->getTerminator();
  auto add = yield->getOperand(0).getDefiningOp<arith::AddIOp>();
  auto arguments = op.getBlock()->getArguments();
  DenseIntElementsAttr start;
  return add && llvm::is_contained(add->getOperands(), arguments[0]) &&
         llvm::is_contained(add->getOperands(), arguments[1]) &&
         matchPattern(op.getDpsInitOperand(0)->get(), m_Constant(&start)) &&
         start.isSplat() && start.getSplatValue<APInt>().isZero();
}

void SummedLogProbabilities::findMean() {
  // A mean of nothing is 0, not NaN, in te.cross_entropy: only a mean over a
  // nonempty set of rows, or divided by at least one, is the same.
  Value value = place;
  double multiple = factor;
  // True if `value` is a mean; a sum is recorded.
  auto take = [&] {
    bool isWhole = multiple == -1;
    bool isAverage = rows > 1 && !counts && !scores->skipsOutside() &&
                     isClose(-multiple * double(rows), 1);
    if (isWhole || isAverage) {
      place = value;
      factor = -1;
      isMean = isAverage;
    }
    return isAverage;
  };
  if (take())
    return;
  while (value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (isa<arith::NegFOp>(user)) {
      multiple = -multiple;
    } else if (auto mul = dyn_cast<arith::MulFOp>(user)) {
      auto number =
          getNumber(mul.getLhs() == value ? mul.getRhs() : mul.getLhs());
      if (!number)
        break;
      multiple *= *number;
    } else if (auto div = dyn_cast<arith::DivFOp>(user)) {
      if (div.getLhs() != value)
        break;
      auto number = getNumber(div.getRhs());
      if (!number && isNumberOfRows(div.getRhs())) {
        // Only the mean may follow it.
        if (multiple == -1) {
          place = div;
          factor = multiple;
          isMean = true;
          return;
        }
        if (multiple == 1 && div->hasOneUse() &&
            isa<arith::NegFOp>(*div->user_begin())) {
          place = (*div->user_begin())->getResult(0);
          factor = -1;
          isMean = true;
        }
        return;
      }
      if (!number || *number == 0)
        break;
      multiple /= *number;
    } else if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user)) {
      break;
    }
    value = user->getResult(0);
    if (take())
      return;
  }
}

void SummedLogProbabilities::replace(IRRewriter &rewriter) {
  Location loc = sum->getLoc();
  rewriter.setInsertionPointAfterValue(place);
  Value labels = reshapeTo(rewriter, loc, scores->getLabels(), {rows});
  // Every label counts: none has this value.
  constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
  Type i64 = rewriter.getI64Type();
  auto integers = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        rewriter, loc,
        SplatElementsAttr::get(RankedTensorType::get({rows}, i64),
                               rewriter.getI64IntegerAttr(number)));
  };
  auto keepWhere = [&](Value condition) {
    labels = arith::SelectOp::create(rewriter, loc, condition, labels,
                                     integers(kNone));
  };
  if ((counts || scores->skipsOutside()) &&
      tensorType(labels).getElementType() != i64)
    labels = arith::ExtSIOp::create(rewriter, loc,
                                    RankedTensorType::get({rows}, i64), labels);
  if (scores->skipsOutside()) {
    Value low = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge,
                                      labels, integers(0));
    Value high = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       labels, integers(scores->getClasses()));
    keepWhere(arith::AndIOp::create(rewriter, loc, low, high));
  }
  if (counts)
    keepWhere(reshapeTo(rewriter, loc, counts, {rows}));
  Value loss = CrossEntropyOp::create(
                   rewriter, loc,
                   reshapeTo(rewriter, loc, scores->getLogits(),
                             {rows, scores->getClasses()}),
                   labels, kNone, isMean ? Reduction::Mean : Reduction::Sum)
                   .getLoss();
  if (factor != -1)
    loss = arith::MulFOp::create(
        rewriter, loc, loss,
        arith::ConstantOp::create(
            rewriter, loc,
            SplatElementsAttr::get(tensorType(loss),
                                   rewriter.getF32FloatAttr(-factor))));
  rewriter.replaceAllUsesWith(
      place, reshapeTo(rewriter, loc, loss, tensorType(place).getShape()));
}

void mlir::te::raiseCrossEntropy(Operation *root) {
  SmallVector<Operation *> sums;
  root->walk([&](linalg::LinalgOp op) { sums.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : sums) {
    SummedLogProbabilities found(op);
    if (!found.match())
      continue;
    auto function = op->getParentOfType<func::FuncOp>();
    remark::passed(op->getLoc(),
                   remark::RemarkOpts::name("CrossEntropy")
                       .category("te-raise")
                       .function(function ? function.getName() : StringRef()))
        << remark::add("log-probabilities of labels are a cross-entropy");
    found.replace(rewriter);
  }
}
