// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adafactor: second moments of matrices as rows and columns.

#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/ParseAttribute.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

/// Means of squares are at least this, as torch.optim.Adafactor has it for
/// float32.
static constexpr double kLeastMeanSquare = 0x1p-23;

LogicalResult
AdafactorAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      FloatAttr learningRate, FloatAttr beta2Decay,
                      FloatAttr eps, FloatAttr clip, FloatAttr weightDecay,
                      bool decayNorms, bool decayBiases, bool decayEmbeddings) {
  if (beta2Decay.getValueAsDouble() > 0 ||
      !std::isfinite(beta2Decay.getValueAsDouble()))
    return emitError() << "expects beta2_decay to be finite and not positive, "
                          "got "
                       << beta2Decay.getValueAsDouble();
  if (clip.getValueAsDouble() < 1 || !std::isfinite(clip.getValueAsDouble()))
    return emitError() << "expects clip to be finite and at least 1, got "
                       << clip.getValueAsDouble();
  return success(
      succeeded(verifyNotNegative(emitError, "learning_rate", learningRate)) &&
      succeeded(verifyNotNegative(emitError, "eps", eps)) &&
      succeeded(verifyNotNegative(emitError, "weight_decay", weightDecay)));
}

SmallVector<OptimizerScalar> AdafactorAttr::getScalars() const {
  return {{"learning_rate", getLearningRate().getValueAsDouble()},
          {"beta2_decay", getBeta2Decay().getValueAsDouble()},
          {"eps", getEps().getValueAsDouble()},
          {"weight_decay", getWeightDecay().getValueAsDouble()}};
}

DictionaryAttr AdafactorAttr::getSettings() const {
  NamedAttrList settings(DecayPolicy::of(*this).describe(getContext()));
  settings.set("clip", getClip());
  return settings.getDictionary(getContext());
}

static bool isFactored(const OptimizedParameter &param) {
  return param.type.getRank() == 2;
}

SmallVector<OptimizerState>
AdafactorAttr::getStates(const OptimizedParameter &param) const {
  Type f32 = Float32Type::get(getContext());
  TypedAttr zero = FloatAttr::get(f32, 0.0);
  ArrayRef<int64_t> shape = param.type.getShape();
  auto type = [&](ArrayRef<int64_t> of) {
    return RankedTensorType::get(of, f32);
  };
  if (!isFactored(param))
    return {{"adafactor.variance", type(shape), zero}};
  return {{"adafactor.row_var", type(shape[0]), zero},
          {"adafactor.col_var", type(shape[1]), zero}};
}

// Means and norms are of all of a parameter.
bool AdafactorAttr::updatesShards(const OptimizedParameter &) const {
  return false;
}

/// The root of a tensor's mean square.
static Value rootMeanSquare(Formula &f, Value x) {
  Value norm = GlobalNormOp::create(
      f.builder, f.loc, RankedTensorType::get({}, f.builder.getF32Type()), x);
  const double root = std::sqrt(double(tensorType(x).getNumElements()));
  return f.map(
      "", f.builder.getF32Type(), {{norm, ""}},
      [&](Scalars &s, ValueRange e) { return s.div(e[0], s.number(root)); });
}

namespace {
/// The update of one parameter.
class Adafactor {
public:
  Adafactor(OpBuilder &builder, Location loc, const ParameterUpdate &update)
      : f(builder, loc), update(update), f32(builder.getF32Type()),
        all(getAllIndices(update.param)) {}

  SmallVector<Value> build(double clip, bool decay);

private:
  // In the order of getScalars.
  enum Scalar { LearningRate, Beta2Decay, Eps, WeightDecay };

  void updateFactors();
  void updateVariance();
  Value average(StringRef indices, Value old, Value mean);

  Formula f;
  const ParameterUpdate &update;
  Type f32;
  StringRef all;
  /// The weight of this step in the averages.
  Value share;
  /// The gradient times the coefficient, divided by the root of its variance.
  Value direction;
  SmallVector<Value> states;
};
} // namespace

/// old + share (mean - old); a NaN coefficient skips the step.
Value Adafactor::average(StringRef indices, Value old, Value mean) {
  return f.map(
      indices, f32,
      {{old, indices}, {mean, indices}, {share, ""}, {update.coefficient, ""}},
      [](Scalars &s, ValueRange e) {
        Value next = s.add(e[0], s.mul(e[2], s.sub(e[1], e[0])));
        return s.select(s.isNaN(e[3]), e[0], next);
      });
}

void Adafactor::updateFactors() {
  ArrayRef<int64_t> shape = update.type.getShape();
  // Each mean in a pass of its own: sums over rows and over columns.
  auto meanOver = [&](StringRef kept, int64_t count) {
    Value sum = f.sum(kept, {{update.gradient, "mn"}, {update.coefficient, ""}},
                      [](Scalars &s, ValueRange e) {
                        Value g = s.mul(e[0], e[1]);
                        return s.mul(g, g);
                      });
    return f.map(kept, f32, {{sum, kept}}, [&](Scalars &s, ValueRange e) {
      return s.div(e[0], s.number(double(count)));
    });
  };
  Value rows = average("m", update.states[0], meanOver("m", shape[1]));
  Value columns = average("n", update.states[1], meanOver("n", shape[0]));
  states = {rows, columns};
  Value total =
      f.sum("", {{rows, "m"}}, [](Scalars &, ValueRange e) { return e[0]; });
  direction =
      f.map("mn", f32,
            {{update.gradient, "mn"},
             {update.coefficient, ""},
             {rows, "m"},
             {columns, "n"},
             {total, ""}},
            [&](Scalars &s, ValueRange e) {
              Value mean = s.max(s.div(e[4], s.number(double(shape[0]))),
                                 s.number(kLeastMeanSquare));
              Value variance =
                  s.max(s.div(s.mul(e[2], e[3]), mean),
                        s.number(kLeastMeanSquare * kLeastMeanSquare));
              return s.div(s.mul(e[0], e[1]), s.call<math::SqrtOp>(variance));
            });
}

void Adafactor::updateVariance() {
  Value square =
      f.map(all, f32, {{update.gradient, all}, {update.coefficient, ""}},
            [](Scalars &s, ValueRange e) {
              Value g = s.mul(e[0], e[1]);
              return s.mul(g, g);
            });
  states = {average(all, update.states[0], square)};
  direction = f.map(
      all, f32,
      {{update.gradient, all}, {update.coefficient, ""}, {states[0], all}},
      [&](Scalars &s, ValueRange e) {
        Value variance =
            s.max(e[2], s.number(kLeastMeanSquare * kLeastMeanSquare));
        return s.div(s.mul(e[0], e[1]), s.call<math::SqrtOp>(variance));
      });
}

SmallVector<Value> Adafactor::build(double clip, bool decay) {
  auto step = [](Scalars &s, Value count) -> Value {
    return arith::SIToFPOp::create(s.builder, s.loc, s.type, count);
  };
  share = f.map("", f32, {{update.step, ""}, {update.scalars[Beta2Decay], ""}},
                [&](Scalars &s, ValueRange e) -> Value {
                  return math::PowFOp::create(s.builder, s.loc, step(s, e[0]),
                                              e[1]);
                });
  if (isFactored(update))
    updateFactors();
  else
    updateVariance();
  // The rate relative to the parameter, and what its direction is divided by.
  SmallVector<Value> rates = f.mapMany(
      "", f32, 2,
      {{update.scalars[LearningRate], ""},
       {update.step, ""},
       {update.scalars[Eps], ""},
       {rootMeanSquare(f, update.param), ""},
       {rootMeanSquare(f, direction), ""},
       {update.scalars[WeightDecay], ""}},
      [&](Scalars &s, ValueRange e) -> SmallVector<Value> {
        Value rate = s.min(
            e[0], s.div(s.number(1), s.call<math::SqrtOp>(step(s, e[1]))));
        rate = s.mul(s.max(e[2], e[3]), rate);
        rate = s.div(rate, s.max(s.number(1), s.div(e[4], s.number(clip))));
        // p (1 - lr wd) - rate u is p - rate (u + lr wd / rate p).
        Value moves = s.compare(arith::CmpFPredicate::OGT, rate, s.number(0));
        Value weight = s.div(s.mul(e[0], e[5]), rate);
        return {rate, s.select(moves, weight, s.number(0))};
      });
  ParameterUpdate descent = update;
  descent.gradient = direction;
  // 1, or NaN to skip the step.
  descent.coefficient =
      f.map("", f32, {{update.coefficient, ""}}, [](Scalars &s, ValueRange e) {
        return s.select(s.isNaN(e[0]), e[0], s.number(1));
      });
  descent.states.clear();
  descent.scalars = {rates[0], rates[1]};
  auto rule = parseKnownAttribute<SgdAttr>("sgd<momentum = 0.0>",
                                           f.builder.getContext());
  SmallVector<Value> results =
      buildElementwiseUpdate(f.builder, f.loc, rule, descent, decay);
  llvm::append_range(results, states);
  return results;
}

SmallVector<Value>
AdafactorAttr::buildUpdate(OpBuilder &builder, Location loc,
                           const ParameterUpdate &update) const {
  return Adafactor(builder, loc, update)
      .build(getClip().getValueAsDouble(),
             DecayPolicy::of(*this).decays(update));
}
