// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AdamW.

#include "te/Dialect/TE/IR/ParseAttribute.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult
AdamWAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  FloatAttr learningRate, FloatAttr beta1, FloatAttr beta2,
                  FloatAttr eps, FloatAttr weightDecay, MomentType,
                  bool decayNorms, bool decayBiases, bool decayEmbeddings) {
  return success(
      succeeded(verifyNotNegative(emitError, "learning_rate", learningRate)) &&
      succeeded(verifyNotNegative(emitError, "eps", eps)) &&
      succeeded(verifyNotNegative(emitError, "weight_decay", weightDecay)) &&
      succeeded(verifyDecayRate(emitError, "beta1", beta1)) &&
      succeeded(verifyDecayRate(emitError, "beta2", beta2)));
}

SmallVector<OptimizerScalar> AdamWAttr::getScalars() const {
  return {{"learning_rate", getLearningRate().getValueAsDouble()},
          {"beta1", getBeta1().getValueAsDouble()},
          {"beta2", getBeta2().getValueAsDouble()},
          {"eps", getEps().getValueAsDouble()},
          {"weight_decay", getWeightDecay().getValueAsDouble()}};
}

DictionaryAttr AdamWAttr::getSettings() const {
  Builder builder(getContext());
  NamedAttrList settings(DecayPolicy::of(*this).describe(getContext()));
  if (getMoments() != MomentType::F32)
    settings.set("moments",
                 builder.getStringAttr(stringifyMomentType(getMoments())));
  return settings.getDictionary(getContext());
}

AdamWAttr AdamWAttr::getFormula() const {
  return parseKnownAttribute<AdamWAttr>("adamw", getContext());
}

StringRef AdamWAttr::getRuleName() const { return "adamw"; }

SmallVector<StringRef> AdamWAttr::getStateNames() const {
  return {"exp_avg", "exp_avg_sq"};
}

/// The states of smaller tensors take no memory worth saving.
static constexpr int64_t kSmallestNarrow = 4096;

SmallVector<Type>
AdamWAttr::getStateElements(const OptimizedParameter &param) const {
  Builder builder(getContext());
  // Of all meshes, the same states.
  ArrayRef<int64_t> shape = param.type.getShape();
  if (auto shard = cast_or_null<ShardAttr>(param.shard))
    shape = shard.getShape();
  if (shape.size() < 2 || ShapedType::getNumElements(shape) < kSmallestNarrow)
    return {};
  switch (getMoments()) {
  case MomentType::F32:
    return {};
  case MomentType::BF16:
    return {builder.getBF16Type(), builder.getBF16Type()};
  case MomentType::FP8:
    // A square has twice the range of exponents.
    if (shape.back() >= kStateBlock)
      return {builder.getType<Float8E4M3FNType>(),
              builder.getType<Float8E5M2Type>()};
    return {};
  }
  llvm_unreachable("a type of moments");
}

// Ranks may not cut blocks with one scale.
bool AdamWAttr::updatesShards(const OptimizedParameter &param) const {
  SmallVector<Type> elements = getStateElements(param);
  auto shard = cast<ShardAttr>(param.shard);
  return elements.empty() || elements[0].isBF16() ||
         (shard.getFlatAxes() == 0 &&
          shard.getDim() + 1 < int64_t(shard.getShape().size()));
}

// The scalars, then the corrections of the averages' bias.
unsigned AdamWAttr::getNumFactors() const { return 7; }

SmallVector<Value> AdamWAttr::buildFactors(ScalarBuilder &s, ValueRange scalars,
                                           Value step) const {
  SmallVector<Value> factors(scalars);
  for (Value beta : {scalars[1], scalars[2]})
    factors.push_back(
        s.sub(s.number(1), math::PowFOp::create(s.builder, s.loc, beta, step)));
  return factors;
}

SmallVector<Value> AdamWAttr::buildElement(ScalarBuilder &s,
                                           const ElementUpdate &x) const {
  Value lr = x.factors[0], beta1 = x.factors[1], beta2 = x.factors[2],
        eps = x.factors[3], weightDecay = x.factors[4];
  Value one = s.number(1);
  Value m =
      s.add(s.mul(beta1, x.states[0]), s.mul(s.sub(one, beta1), x.gradient));
  Value v = s.add(s.mul(beta2, x.states[1]),
                  s.mul(s.mul(s.sub(one, beta2), x.gradient), x.gradient));
  Value kept = x.param;
  if (x.decay)
    kept = s.mul(kept, s.sub(one, s.mul(lr, weightDecay)));
  Value root = s.call<math::SqrtOp>(s.div(v, x.factors[6]));
  Value change = s.div(s.mul(lr, s.div(m, x.factors[5])), s.add(root, eps));
  return {s.sub(kept, change), m, v};
}
