// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Muon: orthogonalized momentum for hidden matrices, AdamW for the rest.

#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/ParseAttribute.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

// In the order of getScalars.
enum Scalar { LearningRate, Momentum, Beta1, Beta2, Eps, WeightDecay };

/// Coefficients of the iteration: X becomes a X + (b A + c A²) X.
static constexpr double kA = 3.4445, kB = -4.775, kC = 2.0315;
/// The norm is at least this.
static constexpr double kMinNorm = 1e-7;

LogicalResult
MuonAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 FloatAttr learningRate, FloatAttr momentum, FloatAttr beta1,
                 FloatAttr beta2, FloatAttr eps, FloatAttr weightDecay,
                 unsigned iterations, bool decayNorms, bool decayBiases,
                 bool decayEmbeddings) {
  if (iterations < 1 || iterations > 100)
    return emitError() << "expects 1 to 100 iterations, got " << iterations;
  return success(
      succeeded(verifyNotNegative(emitError, "learning_rate", learningRate)) &&
      succeeded(verifyNotNegative(emitError, "eps", eps)) &&
      succeeded(verifyNotNegative(emitError, "weight_decay", weightDecay)) &&
      succeeded(verifyDecayRate(emitError, "momentum", momentum)) &&
      succeeded(verifyDecayRate(emitError, "beta1", beta1)) &&
      succeeded(verifyDecayRate(emitError, "beta2", beta2)));
}

SmallVector<OptimizerScalar> MuonAttr::getScalars() const {
  return {{"learning_rate", getLearningRate().getValueAsDouble()},
          {"momentum", getMomentum().getValueAsDouble()},
          {"beta1", getBeta1().getValueAsDouble()},
          {"beta2", getBeta2().getValueAsDouble()},
          {"eps", getEps().getValueAsDouble()},
          {"weight_decay", getWeightDecay().getValueAsDouble()}};
}

DictionaryAttr MuonAttr::getSettings() const {
  Builder builder(getContext());
  NamedAttrList settings(DecayPolicy::of(*this).describe(getContext()));
  settings.set("iterations", builder.getI64IntegerAttr(getIterations()));
  return settings.getDictionary(getContext());
}

static bool isHidden(const OptimizedParameter &param) {
  return param.type.getRank() == 2 &&
         llvm::all_of(param.roles,
                      [](ParameterRole role) {
                        return role == ParameterRole::Weight;
                      }) &&
         !param.roles.empty();
}

static AdamWAttr getOther(MLIRContext *context) {
  return parseKnownAttribute<AdamWAttr>("adamw", context);
}

SmallVector<OptimizerState>
MuonAttr::getStates(const OptimizedParameter &param) const {
  if (!isHidden(param))
    return getOther(getContext()).getStates(param);
  return {{"muon.momentum_buffer", param.type,
           FloatAttr::get(param.type.getElementType(), 0.0)}};
}

// A shard of a matrix is not orthogonalized as the matrix is.
bool MuonAttr::updatesShards(const OptimizedParameter &param) const {
  return !isHidden(param);
}

//===----------------------------------------------------------------------===//
// Hidden matrices
//===----------------------------------------------------------------------===//

static Value multiply(Formula &f, Value a, Value b, bool transposeA,
                      bool transposeB) {
  auto type = RankedTensorType::get(
      {tensorDim(a, transposeA), tensorDim(b, !transposeB)},
      f.builder.getF32Type());
  return MatmulOp::create(f.builder, f.loc, type, a, b, /*bias=*/Value(),
                          /*addend=*/Value(), transposeA, transposeB,
                          MatmulRole::Other);
}

/// X becomes a X + (b A + c A²) X, times `factor`.
static Value iterate(Formula &f, Value x, double factor) {
  Type f32 = f.builder.getF32Type();
  // The smaller of X Xᵀ and Xᵀ X.
  const bool isTall = tensorDim(x, 0) > tensorDim(x, 1);
  Value a = multiply(f, x, x, /*transposeA=*/isTall, /*transposeB=*/!isTall);
  // A is symmetric.
  Value aa = multiply(f, a, a, /*transposeA=*/false, /*transposeB=*/true);
  Value b =
      f.map("ab", f32, {{a, "ab"}, {aa, "ab"}}, [](Scalars &s, ValueRange e) {
        return s.add(s.mul(s.number(kB), e[0]), s.mul(s.number(kC), e[1]));
      });
  Value bx =
      isTall ? multiply(f, x, b, false, true) : multiply(f, b, x, false, false);
  return f.map(
      "mn", f32, {{x, "mn"}, {bx, "mn"}}, [&](Scalars &s, ValueRange e) {
        return s.add(s.mul(s.number(kA * factor), e[0]),
                     factor == 1 ? e[1] : s.mul(s.number(factor), e[1]));
      });
}

static SmallVector<Value> buildHidden(OpBuilder &builder, Location loc,
                                      const ParameterUpdate &update,
                                      unsigned iterations, bool decay) {
  Formula f(builder, loc);
  Type f32 = builder.getF32Type();
  SmallVector<Value> moved = f.mapMany(
      "mn", f32, 2,
      {{update.gradient, "mn"},
       {update.states.front(), "mn"},
       {update.coefficient, ""},
       {update.scalars[Momentum], ""}},
      [](Scalars &s, ValueRange e) -> SmallVector<Value> {
        Value g = s.mul(e[0], e[2]);
        auto blend = [&](Value old) {
          return s.add(s.mul(e[3], old), s.mul(s.sub(s.number(1), e[3]), g));
        };
        // A NaN coefficient skips the step.
        Value buffer = s.select(s.isNaN(e[2]), e[1], blend(e[1]));
        return {buffer, blend(buffer)};
      });
  Value momentum = moved[0], x = moved[1];
  Value norm =
      GlobalNormOp::create(builder, loc, RankedTensorType::get({}, f32), x);
  x = f.map("mn", f32, {{x, "mn"}, {norm, ""}}, [](Scalars &s, ValueRange e) {
    return s.div(e[0], s.max(e[1], s.number(kMinNorm)));
  });
  ArrayRef<int64_t> shape = update.type.getShape();
  const double size =
      0.2 * std::sqrt(double(std::max(shape.front(), shape.back())));
  for (unsigned i = 1; i <= iterations; ++i)
    x = iterate(f, x, i == iterations ? size : 1);
  ParameterUpdate step = update;
  step.gradient = x;
  // 1, or NaN to skip the step: X has no use for the clipping of gradients.
  step.coefficient =
      f.map("", f32, {{update.coefficient, ""}}, [](Scalars &s, ValueRange e) {
        return s.select(s.isNaN(e[0]), e[0], s.number(1));
      });
  step.states.clear();
  step.scalars = {update.scalars[LearningRate], update.scalars[WeightDecay]};
  // p - lr (X + wd p) is p (1 - lr wd) - lr X: decoupled decay.
  auto descent =
      parseKnownAttribute<SgdAttr>("sgd<momentum = 0.0>", builder.getContext());
  SmallVector<Value> results =
      buildElementwiseUpdate(builder, loc, descent, step, decay);
  results.push_back(momentum);
  return results;
}

SmallVector<Value> MuonAttr::buildUpdate(OpBuilder &builder, Location loc,
                                         const ParameterUpdate &update) const {
  const bool decay = DecayPolicy::of(*this).decays(update);
  if (isHidden(update))
    return buildHidden(builder, loc, update, getIterations(), decay);
  ParameterUpdate other = update;
  other.scalars = {update.scalars[LearningRate], update.scalars[Beta1],
                   update.scalars[Beta2], update.scalars[Eps],
                   update.scalars[WeightDecay]};
  return buildElementwiseUpdate(builder, loc, getOther(getContext()), other,
                                decay);
}
