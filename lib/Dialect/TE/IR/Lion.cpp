// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lion.

#include "te/Dialect/TE/IR/ParseAttribute.h"
#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult
LionAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 FloatAttr learningRate, FloatAttr beta1, FloatAttr beta2,
                 FloatAttr weightDecay, bool decayNorms, bool decayBiases,
                 bool decayEmbeddings) {
  return success(
      succeeded(verifyNotNegative(emitError, "learning_rate", learningRate)) &&
      succeeded(verifyNotNegative(emitError, "weight_decay", weightDecay)) &&
      succeeded(verifyDecayRate(emitError, "beta1", beta1)) &&
      succeeded(verifyDecayRate(emitError, "beta2", beta2)));
}

SmallVector<OptimizerScalar> LionAttr::getScalars() const {
  return {{"learning_rate", getLearningRate().getValueAsDouble()},
          {"beta1", getBeta1().getValueAsDouble()},
          {"beta2", getBeta2().getValueAsDouble()},
          {"weight_decay", getWeightDecay().getValueAsDouble()}};
}

DictionaryAttr LionAttr::getSettings() const {
  return DecayPolicy::of(*this).describe(getContext());
}

LionAttr LionAttr::getFormula() const {
  return parseKnownAttribute<LionAttr>("lion", getContext());
}

StringRef LionAttr::getRuleName() const { return "lion"; }

SmallVector<StringRef> LionAttr::getStateNames() const { return {"exp_avg"}; }

SmallVector<Value> LionAttr::buildElement(ScalarBuilder &s,
                                          const ElementUpdate &x) const {
  Value lr = x.factors[0], beta1 = x.factors[1], beta2 = x.factors[2],
        weightDecay = x.factors[3];
  Value one = s.number(1), zero = s.number(0);
  auto average = [&](Value beta) {
    return s.add(s.mul(beta, x.states[0]), s.mul(s.sub(one, beta), x.gradient));
  };
  Value kept = x.param;
  if (x.decay)
    kept = s.mul(kept, s.sub(one, s.mul(lr, weightDecay)));
  Value direction = average(beta1);
  // A direction of 0, or NaN, takes no step.
  Value change =
      s.select(s.compare(arith::CmpFPredicate::OGT, direction, zero), lr,
               s.select(s.compare(arith::CmpFPredicate::OLT, direction, zero),
                        s.neg(lr), zero));
  return {s.sub(kept, change), average(beta2)};
}
