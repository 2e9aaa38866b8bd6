// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// shift_labels, count_labels; cross_entropy and its gradient, apart and
// together.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Builder, verifiers
//===----------------------------------------------------------------------===//

void CrossEntropyOp::build(OpBuilder &builder, OperationState &state,
                           Value logits, Value labels, int64_t ignoreIndex,
                           Reduction reduction, float labelSmoothing,
                           float zLoss) {
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  build(builder, state, scalar, scalar.clone({tensorDim(logits, 0)}), scalar,
        logits, labels, builder.getI64IntegerAttr(ignoreIndex),
        ReductionAttr::get(builder.getContext(), reduction),
        builder.getF32FloatAttr(labelSmoothing),
        builder.getF32FloatAttr(zLoss));
}

/// Checks label_smoothing and z_loss of a cross-entropy or its gradient.
template <typename LossOp> static LogicalResult verifyTerms(LossOp op) {
  return verifyLossTerms([&] { return op.emitOpError(); },
                         op.getLabelSmoothing().convertToDouble(),
                         op.getZLoss().convertToDouble());
}

LogicalResult CrossEntropyOp::verify() {
  int64_t rows = tensorType(getLogits()).getDimSize(0);
  if (failed(verifyShape(*this, "the labels", getLabels(), {rows})) ||
      failed(verifyTerms(*this)))
    return failure();
  return verifyShape(*this, "lse", getLse(), {rows});
}

LogicalResult CrossEntropyGradOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getLogits());
  if (failed(verifyShape(*this, "the labels", getLabels(), {shape[0]})) ||
      failed(verifyShape(*this, "lse", getLse(), {shape[0]})) ||
      failed(verifyTerms(*this)))
    return failure();
  return verifyShape(*this, "dlogits", getDlogits(), shape);
}

LogicalResult CrossEntropyWithGradOp::verify() {
  if (failed(verifyTerms(*this)))
    return failure();
  return verifyShape(*this, "the labels", getLabels(),
                     {tensorShape(getLogits())[0]});
}

//===----------------------------------------------------------------------===//
// Gradient and precision
//===----------------------------------------------------------------------===//

LogicalResult CrossEntropyOp::buildVjp(OpBuilder &builder,
                                       ValueRange cotangents,
                                       const Needed &needed,
                                       Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getLoss(), cotangents)))
    return failure();
  if (!needed[0])
    return success();
  Value dloss = convertElementType(builder, getLoc(), cotangents[0],
                                   builder.getF32Type());
  operands[0] = CrossEntropyGradOp::create(
      builder, getLoc(), getLogits().getType(), dloss, getLogits(), getLabels(),
      getLse(), getCount(), getIgnoreIndexAttr(), getReductionAttr(),
      getLabelSmoothingAttr(), getZLossAttr());
  return success();
}

Numbers CrossEntropyGradOp::getComputeResults() { return {0}; }

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

unsigned CrossEntropyOp::getLogitsOperand() {
  return getLogitsMutable().getOperandNumber();
}

unsigned CrossEntropyWithGradOp::getLogitsOperand() {
  return getLogitsMutable().getOperandNumber();
}

SmallVector<unsigned> CrossEntropyOp::getRowOperands() {
  return {getLabelsMutable().getOperandNumber()};
}

/// How `grad`, which reads the logits of `loss`, differs from the gradient of
/// just this loss; empty when it does not.
static StringRef compare(CrossEntropyOp loss, CrossEntropyGradOp grad) {
  if (grad.getLabels() != loss.getLabels())
    return "the gradient of its logits is taken for other labels";
  if (grad.getIgnoreIndex() != loss.getIgnoreIndex())
    return "the gradient of its logits ignores another label";
  if (grad.getReduction() != loss.getReduction())
    return "the gradient of its logits is that of another reduction";
  if (grad.getLabelSmoothingAttr() != loss.getLabelSmoothingAttr())
    return "the gradient of its logits smooths the labels differently";
  if (grad.getZLossAttr() != loss.getZLossAttr())
    return "the gradient of its logits has another z_loss";
  if (grad.getLse() != loss.getLse() || grad.getCount() != loss.getCount())
    return "the gradient of its logits takes the sums of another loss";
  return "";
}

Value CrossEntropyOp::matchGradient(Operation *user, std::string &reason) {
  auto grad = dyn_cast<CrossEntropyGradOp>(user);
  if (!grad)
    return {};
  reason = compare(*this, grad).str();
  return reason.empty() ? grad.getDlogits() : Value();
}

SmallVector<Value> CrossEntropyOp::buildShared(OpBuilder &builder) {
  int64_t classes = cast<RankedTensorType>(getLogits().getType()).getDimSize(1);
  // They may be counted already, for the sum over microbatches.
  for (Operation *user : getLabels().getUsers())
    if (auto counted = dyn_cast<CountLabelsOp>(user);
        counted && counted->getBlock() == builder.getBlock() &&
        counted.getClasses() == static_cast<uint64_t>(classes) &&
        counted.getIgnoreIndex() == getIgnoreIndex() &&
        (builder.getInsertionPoint() == builder.getBlock()->end() ||
         counted->isBeforeInBlock(&*builder.getInsertionPoint())))
      return {counted.getCount()};
  Value count = CountLabelsOp::create(
      builder, getLoc(), RankedTensorType::get({}, builder.getF32Type()),
      getLabels(), classes, getIgnoreIndex());
  return {count};
}

std::pair<Value, Value>
CrossEntropyOp::buildPart(OpBuilder &builder, Operation *gradient, Value logits,
                          ValueRange rows, ValueRange shared, Value loss) {
  auto part = CrossEntropyWithGradOp::create(
      builder, getLoc(), logits.getType(), loss.getType(),
      cast<CrossEntropyGradOp>(gradient).getDloss(), /*labels=*/rows[0],
      /*count=*/shared[0], logits, loss, getIgnoreIndexAttr(),
      getReductionAttr(), getLabelSmoothingAttr(), getZLossAttr());
  return {part.getDlogits(), part.getNewLoss()};
}

// The gradient takes the logits' place.
Work CrossEntropyOp::getPartWork(RankedTensorType logits) {
  Work work;
  work.kernel = "cross_entropy_with_grad";
  work.bytes = 2 * getBytes(logits);
  return work;
}

//===----------------------------------------------------------------------===//
// Forms in linalg
//===----------------------------------------------------------------------===//

static Value differs(Scalars &s, Value label, int64_t number) {
  return s.compareInts(arith::CmpIPredicate::ne, label,
                       s.integer(label, number));
}

void ShiftLabelsOp::buildLinalgForm(LinalgForm &f) {
  auto type = getIds().getType();
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  auto none = RankedTensorType::get({rows, 1}, type.getElementType());
  Value ignored = arith::ConstantOp::create(
      f.builder, f.loc,
      DenseElementsAttr::get(
          none, f.builder.getIntegerAttr(type.getElementType(),
                                         int64_t(getIgnoreIndex()))));
  Value labels = ignored;
  if (columns > 1)
    labels = tensor::ConcatOp::create(
        f.builder, f.loc, 1,
        ValueRange{f.slice(getIds(), 1, 1, columns - 1), ignored});
  f.set(getLabels(), labels);
}

static Value countLabels(Formula &f, Value labels, int64_t ignored) {
  return f.sum("", {{labels, "i"}}, [&](Scalars &s, ValueRange x) {
    return s.select(differs(s, x[0], ignored), s.number(1), s.number(0));
  });
}

void CountLabelsOp::buildLinalgForm(LinalgForm &f) {
  f.set(getCount(), countLabels(f, getLabels(), int64_t(getIgnoreIndex())));
}

/// The logarithm of the sum of each row's exponentials.
static Value logSumExp(Formula &f, Value logits) {
  Value most = f.join(Formula::Join::Max, "i", {{logits, "ij"}},
                      [](Scalars &, ValueRange x) { return x[0]; });
  Value sum =
      f.sum("i", {{logits, "ij"}, {most, "i"}}, [](Scalars &s, ValueRange x) {
        return s.call<math::ExpOp>(s.sub(x[0], x[1]));
      });
  return f.map("i", f.builder.getF32Type(), {{most, "i"}, {sum, "i"}},
               [](Scalars &s, ValueRange x) {
                 return s.add(x[0], s.call<math::LogOp>(x[1]));
               });
}

/// The mean of each row.
static Value meanOfRow(Formula &f, Value logits) {
  double classes = sizeOf(logits, 1);
  Value sum = f.sum("i", {{logits, "ij"}},
                    [](Scalars &, ValueRange x) { return x[0]; });
  return f.map(
      "i", f.builder.getF32Type(), {{sum, "i"}},
      [&](Scalars &s, ValueRange x) { return s.div(x[0], s.number(classes)); });
}

/// The losses of the rows that count, added up.
template <typename LossOp>
static Value sumOfLosses(Formula &f, LossOp op, Value lse) {
  double smoothing = op.getLabelSmoothing().convertToDouble(),
         zLoss = op.getZLoss().convertToDouble();
  Value logits = op.getLogits();
  Value chosen = f.sum("i", {{logits, "ij"}, {op.getLabels(), "i"}},
                       [](Scalars &s, ValueRange x) {
                         Value isLabel =
                             s.compareInts(arith::CmpIPredicate::eq,
                                           s.toIndex(x[1]), s.at('j'));
                         return s.select(isLabel, x[0], s.number(0));
                       });
  SmallVector<Term> terms{{lse, "i"}, {chosen, "i"}, {op.getLabels(), "i"}};
  if (smoothing != 0)
    terms.push_back({meanOfRow(f, logits), "i"});
  return f.sum("", terms, [&](Scalars &s, ValueRange x) {
    Value loss = s.sub(x[0], x[1]);
    if (smoothing != 0)
      loss = s.add(loss, s.mul(s.number(smoothing), s.sub(x[1], x[3])));
    if (zLoss != 0)
      loss = s.add(loss, s.mul(s.number(zLoss), s.mul(x[0], x[0])));
    return s.select(differs(s, x[2], int64_t(op.getIgnoreIndex())), loss,
                    s.number(0));
  });
}

/// What a mean divides by; 1 for a sum, and without rows.
static Value getRowDivisor(Scalars &s, Value count, Reduction reduction) {
  if (reduction == Reduction::Sum)
    return s.number(1);
  return s.select(s.compare(arith::CmpFPredicate::OGT, count, s.number(0)),
                  count, s.number(1));
}

template <typename LossOp>
static Value logitsGrad(Formula &f, LossOp op, Value lse) {
  double smoothing = op.getLabelSmoothing().convertToDouble(),
         zLoss = op.getZLoss().convertToDouble();
  double ofAll = smoothing / double(sizeOf(op.getLogits(), 1));
  return f.map(
      "ij", getElementTypeOrSelf(op.getDlogits()),
      {{op.getLogits(), "ij"},
       {op.getLabels(), "i"},
       {lse, "i"},
       {op.getDloss(), ""},
       {op.getCount(), ""}},
      [&](Scalars &s, ValueRange x) {
        Value p = s.call<math::ExpOp>(s.sub(x[0], x[2]));
        if (zLoss != 0)
          p = s.mul(s.add(s.number(1), s.mul(s.number(2 * zLoss), x[2])), p);
        Value isLabel =
            s.compareInts(arith::CmpIPredicate::eq, s.toIndex(x[1]), s.at('j'));
        Value target =
            s.select(isLabel, s.number(1 - smoothing + ofAll), s.number(ofAll));
        Value y = s.mul(s.div(x[3], getRowDivisor(s, x[4], op.getReduction())),
                        s.sub(p, target));
        return s.select(differs(s, x[1], int64_t(op.getIgnoreIndex())), y,
                        s.number(0));
      });
}

void CrossEntropyOp::buildLinalgForm(LinalgForm &f) {
  Value lse = logSumExp(f, getLogits());
  Value count = countLabels(f, getLabels(), int64_t(getIgnoreIndex()));
  Value sum = sumOfLosses(f, *this, lse);
  f.set(getLse(), lse);
  f.set(getCount(), count);
  f.set(getLoss(), f.map("", f.builder.getF32Type(), {{sum, ""}, {count, ""}},
                         [&](Scalars &s, ValueRange x) {
                           return s.div(x[0],
                                        getRowDivisor(s, x[1], getReduction()));
                         }));
}

void CrossEntropyGradOp::buildLinalgForm(LinalgForm &f) {
  f.set(getDlogits(), logitsGrad(f, *this, getLse()));
}

void CrossEntropyWithGradOp::buildLinalgForm(LinalgForm &f) {
  Value lse = logSumExp(f, getLogits());
  f.set(getDlogits(), logitsGrad(f, *this, lse));
  Value sum = sumOfLosses(f, *this, lse);
  f.set(getNewLoss(), f.map("", f.builder.getF32Type(),
                            {{getLoss(), ""}, {sum, ""}, {getCount(), ""}},
                            [&](Scalars &s, ValueRange x) {
                              Value divisor =
                                  getRowDivisor(s, x[2], getReduction());
                              return s.add(x[0], s.div(x[1], divisor));
                            }));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void ShiftLabelsOp::inferRanges(RangeInference &ranges) {
  ranges.keep(getLabels(), ranges.of(getIds()).join(MagnitudeRange::of(
                               double(int64_t(getIgnoreIndex())))));
}

/// Of the number of labels that count.
static MagnitudeRange getCountRange(Value labels) {
  int64_t rows = getRows(labels);
  return rows == 0 ? MagnitudeRange::zero()
                   : MagnitudeRange{0, std::log2(double(rows))};
}

void CountLabelsOp::inferRanges(RangeInference &ranges) {
  ranges.set(getCount(), getCountRange(getLabels()));
}

/// Of the logarithms of the rows' sums of exponentials.
static MagnitudeRange getLseRange(Value logits, RangeInference &ranges) {
  double classes = std::max<int64_t>(sizeOf(logits, 1), 1);
  // The sum's relative error is an error of its logarithm.
  double log = std::log(classes) + classes * MagnitudeRange::kFloat32;
  return (ranges.of(logits) + MagnitudeRange::of(log).withoutLower()).inexact();
}

/// Of the loss of one row.
template <typename LossOp>
static MagnitudeRange getRowLoss(LossOp op, RangeInference &ranges) {
  MagnitudeRange lse = getLseRange(op.getLogits(), ranges);
  MagnitudeRange penalty = lse.power(2) * op.getZLoss().convertToDouble();
  double error = MagnitudeRange::kFormula +
                 MagnitudeRange::kFloat32 * sizeOf(op.getLogits(), 1);
  return (lse + ranges.of(op.getLogits()) + penalty).inexact(error);
}

/// Of what a mean divides by: 1 without labels that count.
static MagnitudeRange getDivisorRange(MagnitudeRange count,
                                      Reduction reduction) {
  MagnitudeRange one = MagnitudeRange::of(1);
  return reduction == Reduction::Mean ? count.join(one) : one;
}

/// Of (1 + 2 z lse) p - (1 - e) [v = label] - e / V, for probabilities p.
template <typename LossOp>
static MagnitudeRange getLogitsGrad(LossOp op, RangeInference &ranges,
                                    MagnitudeRange lse, MagnitudeRange count) {
  MagnitudeRange difference = MagnitudeRange::upTo(0);
  if (!op.getLabelSmoothing().isZero())
    difference = difference.inexact();
  if (double z = op.getZLoss().convertToDouble(); z != 0)
    difference = (lse * (2 * z) + difference).inexact();
  return ranges.of(op.getDloss()) * difference /
         getDivisorRange(count, op.getReduction());
}

void CrossEntropyOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange row = getRowLoss(*this, ranges);
  ranges.set(getLse(), getLseRange(getLogits(), ranges));
  ranges.set(getCount(), getCountRange(getLabels()));
  // The error of a mean is that of its sum.
  int64_t rows = getRows(getLogits());
  MagnitudeRange sum = row.sumOf(rows);
  if (getReduction() == Reduction::Mean && rows != 0)
    sum = (sum / double(rows)).inexact();
  ranges.set(getLoss(), sum);
}

void CrossEntropyGradOp::inferRanges(RangeInference &ranges) {
  // Only of the logarithms of its own sums are the probabilities 1 at most.
  auto loss = getLse().getDefiningOp<CrossEntropyOp>();
  if (loss && loss.getLogits() == getLogits())
    ranges.set(getDlogits(), getLogitsGrad(*this, ranges, ranges.of(getLse()),
                                           ranges.of(getCount())));
}

void CrossEntropyWithGradOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange count = ranges.of(getCount());
  ranges.set(
      getDlogits(),
      getLogitsGrad(*this, ranges, getLseRange(getLogits(), ranges), count));
  MagnitudeRange sum = getRowLoss(*this, ranges).sumOf(getRows(getLogits())) /
                       getDivisorRange(count, getReduction());
  ranges.set(getNewLoss(), ranges.of(getLoss()) + sum.inexact());
}
