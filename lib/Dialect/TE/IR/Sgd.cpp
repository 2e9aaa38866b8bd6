// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient descent with momentum.

#include "te/Dialect/TE/IR/ParseAttribute.h"
#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult
SgdAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                FloatAttr learningRate, FloatAttr momentum, FloatAttr dampening,
                bool nesterov, FloatAttr weightDecay, bool decayNorms,
                bool decayBiases, bool decayEmbeddings) {
  if (failed(verifyNotNegative(emitError, "learning_rate", learningRate)) ||
      failed(verifyNotNegative(emitError, "momentum", momentum)) ||
      failed(verifyNotNegative(emitError, "dampening", dampening)) ||
      failed(verifyNotNegative(emitError, "weight_decay", weightDecay)))
    return failure();
  bool hasMomentum = momentum.getValueAsDouble() > 0;
  bool hasDampening = dampening.getValueAsDouble() > 0;
  if (nesterov && (!hasMomentum || hasDampening))
    return emitError() << "expects a momentum and no dampening with nesterov";
  if (hasDampening && !hasMomentum)
    return emitError() << "expects a momentum with dampening";
  return success();
}

bool SgdAttr::hasMomentum() const {
  return getMomentum().getValueAsDouble() > 0;
}

SmallVector<OptimizerScalar> SgdAttr::getScalars() const {
  SmallVector<OptimizerScalar> scalars = {
      {"learning_rate", getLearningRate().getValueAsDouble()},
      {"weight_decay", getWeightDecay().getValueAsDouble()}};
  if (hasMomentum())
    scalars.push_back({"momentum", getMomentum().getValueAsDouble()});
  if (hasMomentum() && !getNesterov())
    scalars.push_back({"dampening", getDampening().getValueAsDouble()});
  return scalars;
}

DictionaryAttr SgdAttr::getSettings() const {
  Builder builder(getContext());
  NamedAttrList settings(DecayPolicy::of(*this).describe(getContext()));
  settings.set("nesterov", builder.getBoolAttr(getNesterov()));
  return settings.getDictionary(getContext());
}

SgdAttr SgdAttr::getFormula() const {
  StringRef text = !hasMomentum()  ? "sgd<momentum = 0.0>"
                   : getNesterov() ? "sgd<nesterov = true>"
                                   : "sgd";
  return parseKnownAttribute<SgdAttr>(text, getContext());
}

StringRef SgdAttr::getRuleName() const {
  return !hasMomentum()  ? "sgd"
         : getNesterov() ? "sgd_nesterov"
                         : "sgd_momentum";
}

SmallVector<StringRef> SgdAttr::getStateNames() const {
  if (hasMomentum())
    return {"momentum_buffer"};
  return {};
}

SmallVector<Value> SgdAttr::buildElement(ScalarBuilder &s,
                                         const ElementUpdate &x) const {
  Value lr = x.factors[0], weightDecay = x.factors[1];
  Value g = x.gradient;
  if (x.decay)
    g = s.add(g, s.mul(weightDecay, x.param));
  if (!hasMomentum())
    return {s.sub(x.param, s.mul(lr, g))};
  Value momentum = x.factors[2];
  Value own = g;
  if (!getNesterov())
    own = s.mul(s.sub(s.number(1), x.factors[3]), g);
  Value isFirst =
      s.compare(arith::CmpFPredicate::OEQ, x.factors.back(), s.number(1));
  Value buffer = s.select(isFirst, g, s.add(s.mul(momentum, x.states[0]), own));
  Value direction = getNesterov() ? s.add(g, s.mul(momentum, buffer)) : buffer;
  return {s.sub(x.param, s.mul(lr, direction)), buffer};
}
