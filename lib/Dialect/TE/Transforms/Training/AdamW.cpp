// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Training/Training.h"

using namespace mlir;
using namespace mlir::te;

Optimizer::~Optimizer() = default;

namespace {
class AdamW : public Optimizer {
public:
  explicit AdamW(const OptimizerDefaults &defaults) : defaults(defaults) {}

  SmallVector<TrainingScalar> getScalars() const override {
    return {{"learning_rate", defaults.learningRate},
            {"beta1", defaults.beta1},
            {"beta2", defaults.beta2},
            {"eps", defaults.eps},
            {"weight_decay", defaults.weightDecay}};
  }

  SmallVector<OptimizerState> getStates() const override {
    return {{"adamw.exp_avg"}, {"adamw.exp_avg_sq"}};
  }

  SmallVector<Value> update(OpBuilder &builder, const ParameterUpdate &update,
                            ArrayRef<Value> scalars) const override {
    Type type = update.param.getType();
    auto op = AdamWOp::create(
        builder, update.loc, /*new_param=*/type, /*new_exp_avg=*/type,
        /*new_exp_avg_sq=*/type, /*rowwise=*/Type(), /*columnwise=*/Type(),
        /*amax=*/Type(), update.gradient, update.coefficient,
        /*lr=*/scalars[0], /*beta1=*/scalars[1], /*beta2=*/scalars[2],
        /*eps=*/scalars[3], /*weight_decay=*/scalars[4], update.step,
        /*scale=*/Value(), update.param, /*exp_avg=*/update.states[0],
        /*exp_avg_sq=*/update.states[1],
        update.decay ? builder.getUnitAttr() : UnitAttr());
    return {op.getNewParam(), op.getNewExpAvg(), op.getNewExpAvgSq()};
  }

private:
  OptimizerDefaults defaults;
};
} // namespace

std::unique_ptr<Optimizer>
mlir::te::createOptimizer(OptimizerKind kind,
                          const OptimizerDefaults &defaults) {
  switch (kind) {
  case OptimizerKind::AdamW:
    return std::make_unique<AdamW>(defaults);
  }
  llvm_unreachable("unknown optimizer");
}
