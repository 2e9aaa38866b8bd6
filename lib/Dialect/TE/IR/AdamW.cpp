// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AdamW as an optimizer.

#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult
AdamWAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  FloatAttr learningRate, FloatAttr beta1, FloatAttr beta2,
                  FloatAttr eps, FloatAttr weightDecay, bool decayNorms,
                  bool decayBiases, bool decayEmbeddings) {
  if (failed(verifyNotNegative(emitError, "learning_rate", learningRate)) ||
      failed(verifyNotNegative(emitError, "eps", eps)) ||
      failed(verifyNotNegative(emitError, "weight_decay", weightDecay)))
    return failure();
  for (auto [name, beta] : {std::pair("beta1", beta1), {"beta2", beta2}})
    if (double value = beta.getValueAsDouble(); !(value >= 0 && value < 1))
      return emitError() << "expects " << name
                         << " to be at least 0 and less than 1, got " << value;
  return success();
}

SmallVector<OptimizerScalar> AdamWAttr::getScalars() const {
  return {{"learning_rate", getLearningRate().getValueAsDouble()},
          {"beta1", getBeta1().getValueAsDouble()},
          {"beta2", getBeta2().getValueAsDouble()},
          {"eps", getEps().getValueAsDouble()},
          {"weight_decay", getWeightDecay().getValueAsDouble()}};
}

DictionaryAttr AdamWAttr::getSettings() const {
  return DecayPolicy::of(*this).describe(getContext());
}

SmallVector<OptimizerState> AdamWAttr::getStates(RankedTensorType param) const {
  auto zero = FloatAttr::get(param.getElementType(), 0.0);
  return {{"adamw.exp_avg", param, zero}, {"adamw.exp_avg_sq", param, zero}};
}

SmallVector<Value> AdamWAttr::buildUpdate(OpBuilder &builder, Location loc,
                                          const ParameterUpdate &update) const {
  Type type = update.param.getType();
  ArrayRef<Value> scalars = update.scalars;
  auto op = AdamWOp::create(
      builder, loc, /*new_param=*/type, /*new_exp_avg=*/type,
      /*new_exp_avg_sq=*/type, /*rowwise=*/Type(), /*columnwise=*/Type(),
      /*amax=*/Type(), update.gradient, update.coefficient, /*lr=*/scalars[0],
      /*beta1=*/scalars[1], /*beta2=*/scalars[2], /*eps=*/scalars[3],
      /*weight_decay=*/scalars[4], update.step, /*scale=*/Value(), update.param,
      /*exp_avg=*/update.states[0], /*exp_avg_sq=*/update.states[1],
      update.decay ? builder.getUnitAttr() : UnitAttr());
  return {op.getNewParam(), op.getNewExpAvg(), op.getNewExpAvgSq()};
}
