// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of a training step behind the gradients: global_norm,
// clip_coefficient, advance_step and update.

#include "OpMethods.h"

#include "te/Support/MatrixView.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;

void ClipCoefficientOp::watchAmaxes(ValueRange amaxes) {
  getAmaxesMutable().append(amaxes);
}

/// The states are all f32, all bf16 or all FP8, and new ones have their types.
static LogicalResult verifyStates(UpdateOp op) {
  RankedTensorType type = op.getParam().getType();
  auto bitsOf = [](Type state) {
    return cast<RankedTensorType>(state).getElementTypeBitWidth();
  };
  TypeRange states = op.getStates().getTypes();
  for (Type state : states) {
    if (cast<RankedTensorType>(state).getShape() != type.getShape())
      return op.emitOpError() << "expects states of the parameter's shape, "
                              << type << ", got " << state;
    if (bitsOf(state) != bitsOf(states.front()))
      return op.emitOpError()
             << "expects states that are all f32, all bf16 or all FP8, got "
             << states.front() << " and " << state;
  }
  if (states != TypeRange(op.getNewStates()))
    return op.emitOpError() << "expects new states of the old ones' types";
  const bool isFp8 = !states.empty() && bitsOf(states.front()) == 8;
  if (isFp8 && type.getRank() < 2)
    return op.emitOpError()
           << "has FP8 states of " << type << ", which is no matrix";
  const size_t wanted = isFp8 ? states.size() : 0;
  for (TypeRange scales :
       {TypeRange(op.getStateScales()), TypeRange(op.getNewStateScales())}) {
    if (scales.size() != wanted)
      return op.emitOpError() << "has " << scales.size()
                              << " scales of states, but expects " << wanted;
    for (Type scale : scales)
      if (scale != getStateScaleType(type))
        return op.emitOpError() << "expects scales of states to be "
                                << getStateScaleType(type) << ", got " << scale;
  }
  return success();
}

LogicalResult UpdateOp::verify() {
  ElementwiseOptimizerAttrInterface optimizer = getOptimizer();
  auto expectCount = [&](StringRef what, size_t count,
                         size_t wanted) -> LogicalResult {
    if (count == wanted)
      return success();
    return emitOpError() << "has " << count << " " << what << ", but "
                         << optimizer << " takes " << wanted;
  };
  const size_t numStates = optimizer.getStateNames().size();
  if (failed(expectCount("scalars", getScalars().size(),
                         optimizer.getScalars().size())) ||
      failed(expectCount("states", getStates().size(), numStates)) ||
      failed(expectCount("new states", getNewStates().size(), numStates)))
    return failure();
  RankedTensorType type = getParam().getType();
  ArrayRef<int64_t> shape = type.getShape();
  if (failed(verifyStates(*this)))
    return failure();
  if (failed(verifyShape(*this, "the gradient", getGradient(), shape)))
    return failure();
  if (!getScale())
    return verifyQuantizedResults(*this, {0, 0});
  if (shape.size() < 2)
    return emitOpError() << "quantizes a parameter that has no rows: " << type;
  return verifyQuantizedResults(*this, getMatrixType(type).getShape());
}

bool UpdateOp::canQuantizeResult(unsigned result) {
  return result == 0 && !getScale() && getParam().getType().getRank() >= 2;
}

// The new parameter is the master copy: it is kept whatever `keepResult` says.
QuantizedResults UpdateOp::quantizeResult(RewriterBase &rewriter, unsigned,
                                          Value scale, Type rowwise,
                                          Type columnwise, bool) {
  return quantizeFirstResult(rewriter, *this, scale, rowwise, columnwise,
                             /*keepResult=*/true);
}

//===----------------------------------------------------------------------===//
// Forms in linalg
//===----------------------------------------------------------------------===//

void GlobalNormOp::buildLinalgForm(LinalgForm &f) {
  SmallVector<Term> sums;
  for (Value gradient : getGradients())
    sums.push_back(
        {f.sum("", {{gradient, getAllIndices(gradient)}},
               [](Scalars &s, ValueRange x) { return s.mul(x[0], x[0]); }),
         ""});
  f.set(getNorm(),
        f.map("", f.builder.getF32Type(), sums, [](Scalars &s, ValueRange x) {
          Value total = s.number(0);
          for (Value sum : x)
            total = s.add(total, sum);
          return s.call<math::SqrtOp>(total);
        }));
}

void ClipCoefficientOp::buildLinalgForm(LinalgForm &f) {
  SmallVector<Term> terms{{getNorm(), ""}, {getMaxNorm(), ""}};
  for (Value amax : getAmaxes())
    terms.push_back({amax, ""});
  f.set(getCoefficient(),
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

void AdvanceStepOp::buildLinalgForm(LinalgForm &f) {
  f.set(getNewStep(),
        f.map("", f.builder.getI64Type(),
              {{getStep(), ""}, {getCoefficient(), ""}},
              [](Scalars &s, ValueRange x) -> Value {
                Value one = s.integer(x[0], 1), zero = s.integer(x[0], 0);
                return arith::AddIOp::create(
                    s.builder, s.loc, x[0], s.select(s.isNaN(x[1]), zero, one));
              }));
}

Work UpdateOp::getWork() {
  Work work = getMovingWork(*this);
  if (StringRef rounding =
          getUpdateRounding(getParam().getType(), getStates().getTypes());
      !rounding.empty())
    work.addExtra(rounding);
  return work;
}

void UpdateOp::buildLinalgForm(LinalgForm &f) {
  StringRef all = getAllIndices(getParam());
  // What only depends on scalars is computed once, not for every element.
  SmallVector<Term> scalars;
  for (Value scalar : getScalars())
    scalars.push_back({scalar, ""});
  scalars.push_back({getStep(), ""});
  ElementwiseOptimizerAttrInterface optimizer = getOptimizer();
  SmallVector<Value> factors =
      f.mapMany("", f.builder.getF32Type(), optimizer.getNumFactors(), scalars,
                [&](Scalars &s, ValueRange x) {
                  Value step = arith::SIToFPOp::create(s.builder, s.loc, s.type,
                                                       x.back());
                  return optimizer.buildFactors(s, x.drop_back(), step);
                });
  SmallVector<Term> terms{{getParam(), all}};
  for (Value state : getStates())
    terms.push_back({state, all});
  terms.push_back({getGradient(), all});
  for (Value factor : factors)
    terms.push_back({factor, ""});
  terms.push_back({getCoefficient(), ""});
  const size_t numKept = 1 + getStates().size();
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
        element.decay = getDecay();
        SmallVector<Value> next = optimizer.buildElement(s, element);
        for (auto [old, value] : llvm::zip_equal(kept, next))
          value = s.select(s.isNaN(coefficient), old, value);
        return next;
      });
  f.set(getNewParam(), updated.front());
  for (auto [state, value] :
       llvm::zip_equal(getNewStates(), ArrayRef(updated).drop_front()))
    f.set(state, value);
  if (getScale())
    f.setQuantized(*this, viewAsMatrix(f.builder, f.loc, updated.front()));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void GlobalNormOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange sum = MagnitudeRange::zero();
  for (Value gradient : getGradients()) {
    int64_t count = cast<RankedTensorType>(gradient.getType()).getNumElements();
    sum = sum + ranges.of(gradient).power(2).sumOf(count);
  }
  ranges.set(getNorm(), sum.power(0.5).inexact());
}

void ClipCoefficientOp::inferRanges(RangeInference &ranges) {
  ranges.set(getCoefficient(), MagnitudeRange::upTo(0));
}
