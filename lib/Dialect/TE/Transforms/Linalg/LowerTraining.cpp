// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses and optimizers in linalg and arith.

#include "Linalg/Lowering.h"

#include "te/Dialect/TE/IR/RegressionOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

static Value differs(Scalars &s, Value label, int64_t number) {
  return s.compareInts(arith::CmpIPredicate::ne, label,
                       s.integer(label, number));
}

static void lower(ShiftLabelsOp op, Formula &f, Lowered &lowered) {
  auto type = op.getIds().getType();
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  auto none = RankedTensorType::get({rows, 1}, type.getElementType());
  Value ignored = arith::ConstantOp::create(
      f.builder, f.loc,
      DenseElementsAttr::get(
          none, f.builder.getIntegerAttr(type.getElementType(),
                                         int64_t(op.getIgnoreIndex()))));
  Value labels = ignored;
  if (columns > 1)
    labels = tensor::ConcatOp::create(
        f.builder, f.loc, 1,
        ValueRange{f.slice(op.getIds(), 1, 1, columns - 1), ignored});
  lowered.set(f, op.getLabels(), labels);
}

static Value countLabels(Formula &f, Value labels, int64_t ignored) {
  return f.sum("", {{labels, "i"}}, [&](Scalars &s, ValueRange x) {
    return s.select(differs(s, x[0], ignored), s.number(1), s.number(0));
  });
}

static void lower(CountLabelsOp op, Formula &f, Lowered &lowered) {
  lowered.set(f, op.getCount(),
              countLabels(f, op.getLabels(), int64_t(op.getIgnoreIndex())));
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
static Value getDivisor(Scalars &s, Value count, Reduction reduction) {
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
        Value y = s.mul(s.div(x[3], getDivisor(s, x[4], op.getReduction())),
                        s.sub(p, target));
        return s.select(differs(s, x[1], int64_t(op.getIgnoreIndex())), y,
                        s.number(0));
      });
}

static void lower(CrossEntropyOp op, Formula &f, Lowered &lowered) {
  Value lse = logSumExp(f, op.getLogits());
  Value count = countLabels(f, op.getLabels(), int64_t(op.getIgnoreIndex()));
  Value sum = sumOfLosses(f, op, lse);
  lowered.set(f, op.getLse(), lse);
  lowered.set(f, op.getCount(), count);
  lowered.set(f, op.getLoss(),
              f.map("", f.builder.getF32Type(), {{sum, ""}, {count, ""}},
                    [&](Scalars &s, ValueRange x) {
                      return s.div(x[0],
                                   getDivisor(s, x[1], op.getReduction()));
                    }));
}

static void lower(CrossEntropyGradOp op, Formula &f, Lowered &lowered) {
  lowered.set(f, op.getDlogits(), logitsGrad(f, op, op.getLse()));
}

static void lower(CrossEntropyWithGradOp op, Formula &f, Lowered &lowered) {
  Value lse = logSumExp(f, op.getLogits());
  lowered.set(f, op.getDlogits(), logitsGrad(f, op, lse));
  Value sum = sumOfLosses(f, op, lse);
  lowered.set(f, op.getNewLoss(),
              f.map("", f.builder.getF32Type(),
                    {{op.getLoss(), ""}, {sum, ""}, {op.getCount(), ""}},
                    [&](Scalars &s, ValueRange x) {
                      Value divisor = getDivisor(s, x[2], op.getReduction());
                      return s.add(x[0], s.div(x[1], divisor));
                    }));
}

/// What a loss over the elements of `x` divides by; 1 for a sum, and without
/// elements.
static double getDivisor(Value x, Reduction reduction) {
  int64_t count = cast<RankedTensorType>(x.getType()).getNumElements();
  return reduction == Reduction::Mean && count > 0 ? double(count) : 1;
}

static void lower(SquaredErrorOp op, Formula &f, Lowered &lowered) {
  double divisor = getDivisor(op.getX(), op.getReduction());
  Value sum = f.sum("", {{op.getX(), "mn"}, {op.getTarget(), "mn"}},
                    [](Scalars &s, ValueRange x) {
                      Value difference = s.sub(x[0], x[1]);
                      return s.mul(difference, difference);
                    });
  lowered.set(f, op.getLoss(),
              f.map("", f.builder.getF32Type(), {{sum, ""}},
                    [&](Scalars &s, ValueRange x) {
                      return s.div(x[0], s.number(divisor));
                    }));
}

static void lower(SquaredErrorGradOp op, Formula &f, Lowered &lowered) {
  double divisor = getDivisor(op.getX(), op.getReduction());
  lowered.set(
      f, op.getDx(),
      f.map("mn", getElementTypeOrSelf(op.getDx()),
            {{op.getDloss(), ""}, {op.getX(), "mn"}, {op.getTarget(), "mn"}},
            [&](Scalars &s, ValueRange x) {
              Value factor = s.mul(x[0], s.number(2 / divisor));
              return s.mul(factor, s.sub(x[1], x[2]));
            }));
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

static void lower(GlobalNormOp op, Formula &f, Lowered &lowered) {
  SmallVector<Term> sums;
  for (Value gradient : op.getGradients())
    sums.push_back(
        {f.sum("", {{gradient, getAllIndices(gradient)}},
               [](Scalars &s, ValueRange x) { return s.mul(x[0], x[0]); }),
         ""});
  lowered.set(
      f, op.getNorm(),
      f.map("", f.builder.getF32Type(), sums, [](Scalars &s, ValueRange x) {
        Value total = s.number(0);
        for (Value sum : x)
          total = s.add(total, sum);
        return s.call<math::SqrtOp>(total);
      }));
}

static void lower(ClipCoefficientOp op, Formula &f, Lowered &lowered) {
  SmallVector<Term> terms{{op.getNorm(), ""}, {op.getMaxNorm(), ""}};
  for (Value amax : op.getAmaxes())
    terms.push_back({amax, ""});
  lowered.set(
      f, op.getCoefficient(),
      f.map("", f.builder.getF32Type(), terms, [](Scalars &s, ValueRange x) {
        Value finite = s.isFinite(x[0]);
        for (Value amax : x.drop_front(2))
          finite = s.both(finite, s.isFinite(amax));
        Value clipped =
            s.min(s.number(1), s.div(x[1], s.add(x[0], s.number(1e-6))));
        Value clips = s.compare(arith::CmpFPredicate::OGT, x[1], s.number(0));
        return s.select(finite, s.select(clips, clipped, s.number(1)),
                        s.number(std::numeric_limits<double>::quiet_NaN()));
      }));
}

static void lower(AdvanceStepOp op, Formula &f, Lowered &lowered) {
  lowered.set(f, op.getNewStep(),
              f.map("", f.builder.getI64Type(),
                    {{op.getStep(), ""}, {op.getCoefficient(), ""}},
                    [](Scalars &s, ValueRange x) -> Value {
                      Value one = s.integer(x[0], 1), zero = s.integer(x[0], 0);
                      return arith::AddIOp::create(
                          s.builder, s.loc, x[0],
                          s.select(s.isNaN(x[1]), zero, one));
                    }));
}

static void lower(UpdateOp op, Formula &f, Lowered &lowered) {
  StringRef all = getAllIndices(op.getParam());
  // What only depends on scalars is computed once, not for every element.
  SmallVector<Term> scalars;
  for (Value scalar : op.getScalars())
    scalars.push_back({scalar, ""});
  scalars.push_back({op.getStep(), ""});
  ElementwiseOptimizerAttrInterface optimizer = op.getOptimizer();
  SmallVector<Value> factors =
      f.mapMany("", f.builder.getF32Type(), optimizer.getNumFactors(), scalars,
                [&](Scalars &s, ValueRange x) {
                  Value step = arith::SIToFPOp::create(s.builder, s.loc, s.type,
                                                       x.back());
                  return optimizer.buildFactors(s, x.drop_back(), step);
                });
  SmallVector<Term> terms{{op.getParam(), all}};
  for (Value state : op.getStates())
    terms.push_back({state, all});
  terms.push_back({op.getGradient(), all});
  for (Value factor : factors)
    terms.push_back({factor, ""});
  terms.push_back({op.getCoefficient(), ""});
  const size_t numKept = 1 + op.getStates().size();
  SmallVector<Value> updated = f.mapMany(
      all, f.builder.getF32Type(), numKept, terms,
      [&](Scalars &s, ValueRange x) {
        ValueRange kept = x.take_front(numKept), rest = x.drop_front(numKept);
        Value coefficient = x.back();
        ElementUpdate element;
        element.param = kept.front();
        element.states = llvm::to_vector(kept.drop_front());
        element.gradient = s.mul(rest.front(), coefficient);
        element.factors = llvm::to_vector(rest.drop_front().drop_back());
        element.decay = op.getDecay();
        SmallVector<Value> next = optimizer.buildElement(s, element);
        for (auto [old, value] : llvm::zip_equal(kept, next))
          value = s.select(s.isNaN(coefficient), old, value);
        return next;
      });
  lowered.set(f, op.getNewParam(), updated.front());
  for (auto [state, value] :
       llvm::zip_equal(op.getNewStates(), ArrayRef(updated).drop_front()))
    lowered.set(f, state, value);
  lowerQuantization(f, op, updated.front(), lowered);
}

void mlir::te::attachTrainingLowerings(MLIRContext *context) {
  attachLowering<ShiftLabelsOp, lower>(context);
  attachLowering<CountLabelsOp, lower>(context);
  attachLowering<CrossEntropyOp, lower>(context);
  attachLowering<CrossEntropyGradOp, lower>(context);
  attachLowering<CrossEntropyWithGradOp, lower>(context);
  attachLowering<SquaredErrorOp, lower>(context);
  attachLowering<SquaredErrorGradOp, lower>(context);
  attachLowering<GlobalNormOp, lower>(context);
  attachLowering<ClipCoefficientOp, lower>(context);
  attachLowering<AdvanceStepOp, lower>(context);
  attachLowering<UpdateOp, lower>(context);
}
