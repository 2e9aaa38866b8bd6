// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stochastic gradient descent with momentum as an optimizer.

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

bool SgdAttr::hasDampening() const { return hasMomentum() && !getNesterov(); }

SmallVector<OptimizerScalar> SgdAttr::getScalars() const {
  SmallVector<OptimizerScalar> scalars = {
      {"learning_rate", getLearningRate().getValueAsDouble()},
      {"weight_decay", getWeightDecay().getValueAsDouble()}};
  if (hasMomentum())
    scalars.push_back({"momentum", getMomentum().getValueAsDouble()});
  if (hasDampening())
    scalars.push_back({"dampening", getDampening().getValueAsDouble()});
  return scalars;
}

DictionaryAttr SgdAttr::getSettings() const {
  Builder builder(getContext());
  NamedAttrList settings(DecayPolicy::of(*this).describe(getContext()));
  settings.set("nesterov", builder.getBoolAttr(getNesterov()));
  return settings.getDictionary(getContext());
}

SmallVector<OptimizerState> SgdAttr::getStates(RankedTensorType param) const {
  if (!hasMomentum())
    return {};
  return {{"sgd.momentum_buffer", param,
           FloatAttr::get(param.getElementType(), 0.0)}};
}

SmallVector<Value> SgdAttr::buildUpdate(OpBuilder &builder, Location loc,
                                        const ParameterUpdate &update) const {
  Type type = update.param.getType();
  ArrayRef<Value> scalars = update.scalars;
  auto flag = [&](bool value) {
    return value ? builder.getUnitAttr() : UnitAttr();
  };
  auto op = SgdOp::create(
      builder, loc, /*new_param=*/type,
      /*new_momentum_buffer=*/hasMomentum() ? type : Type(), /*rowwise=*/Type(),
      /*columnwise=*/Type(), /*amax=*/Type(), update.gradient,
      update.coefficient, /*lr=*/scalars[0],
      /*momentum=*/hasMomentum() ? scalars[2] : Value(),
      /*dampening=*/hasDampening() ? scalars[3] : Value(),
      /*weight_decay=*/scalars[1], update.step, /*scale=*/Value(), update.param,
      /*momentum_buffer=*/hasMomentum() ? update.states[0] : Value(),
      flag(getNesterov()), flag(update.decay));
  SmallVector<Value> results = {op.getNewParam()};
  if (hasMomentum())
    results.push_back(op.getNewMomentumBuffer());
  return results;
}
