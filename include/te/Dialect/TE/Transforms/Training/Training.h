// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a training step other than the model and its derivative: its
// precision, losses, optimizers, and which parameters decay.

#ifndef TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H
#define TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H

#include "te/Dialect/TE/IR/TE.h"

#include <memory>

namespace mlir::te {

enum class ComputePrecision {
  FP8,  ///< bf16 compute with FP8 linears, f32 masters
  BF16, ///< bf16 compute, f32 masters
  F32   ///< everything in f32, to compare with a framework
};

/// Of inputs, outputs, parameters and gradients that are no vectors.
enum class BoundaryType {
  F32, ///< as the model has them
  BF16 ///< half the memory; not for entry `train`, whose masters are f32
};

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

enum class LossKind {
  CausalLM,     ///< labels are the ids shifted by one position
  CrossEntropy, ///< labels are given, one per position
  None          ///< no loss: only vjp and forward
};

struct LossOptions {
  LossKind kind = LossKind::CausalLM;
  Reduction reduction = Reduction::Mean;
  int64_t ignoreIndex = -100;
};

/// The labels of a causal language model: `ids` [B,S], shifted.
Value buildCausalLabels(OpBuilder &builder, Location loc, Value ids,
                        const LossOptions &options);

/// The loss, tensor<f32>, of `logits` [..., V] with integer `labels` of as many
/// elements as logits has rows. Fails with an error at `loc` when the sizes do
/// not match.
FailureOr<Value> buildCrossEntropy(OpBuilder &builder, Location loc,
                                   Value logits, Value labels,
                                   const LossOptions &options);

//===----------------------------------------------------------------------===//
// Weight decay
//===----------------------------------------------------------------------===//

/// Kinds of parameters that weight decay leaves alone.
struct NoDecayPolicy {
  bool norms = true;      ///< scales and shifts of normalizations
  bool biases = true;     ///< other vectors
  bool embeddings = true; ///< tables, tied LM heads and position tables
};

/// Whether weight decay applies to the parameter `param`, by what reads it.
bool isDecayed(Value param, const NoDecayPolicy &policy);

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

/// A scalar argument of the training step.
struct TrainingScalar {
  std::string name;
  double defaultValue;
};

/// What an optimizer keeps of one parameter; it has the parameter's shape, f32,
/// and starts at zero.
struct OptimizerState {
  std::string name; ///< without the parameter's name: "adamw.exp_avg"
};

/// One parameter in one step.
struct ParameterUpdate {
  Location loc;
  Value param;
  Value gradient;
  ArrayRef<Value> states; ///< in the order of getStates
  bool decay;
  Value coefficient; ///< what the gradient is multiplied by; NaN: skip the step
  Value step;        ///< tensor<i64>, counts from 1
};

/// An optimizer as the training step sees it.
class Optimizer {
public:
  virtual ~Optimizer();
  virtual SmallVector<TrainingScalar> getScalars() const = 0;
  virtual SmallVector<OptimizerState> getStates() const = 0;
  /// Returns the new parameter and the new states. `scalars` are the values of
  /// getScalars.
  virtual SmallVector<Value> update(OpBuilder &builder,
                                    const ParameterUpdate &update,
                                    ArrayRef<Value> scalars) const = 0;
};

enum class OptimizerKind { AdamW };

/// Defaults of an optimizer's scalars.
struct OptimizerDefaults {
  double learningRate;
  double beta1;
  double beta2;
  double eps;
  double weightDecay;
};

std::unique_ptr<Optimizer> createOptimizer(OptimizerKind kind,
                                           const OptimizerDefaults &defaults);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H
