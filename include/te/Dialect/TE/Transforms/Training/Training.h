// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a training step that its passes and their users choose among:
// precision and losses. Optimizers are attributes
// (te/Dialect/TE/IR/Optimizer.h).

#ifndef TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H
#define TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

enum class ComputePrecision {
  FP8,  ///< bf16 compute with FP8 linears, f32 masters
  BF16, ///< bf16 compute, f32 masters
  F32   ///< everything in f32, to compare with a framework
};

/// Of inputs, outputs, parameters and gradients that are not vectors.
enum class BoundaryType {
  F32, ///< as the model has them
  BF16 ///< half the memory; not for entry `train`, whose masters are f32
};

enum class LossKind {
  CausalLM,     ///< labels are the ids shifted by one position
  CrossEntropy, ///< labels are given, one per position
  None          ///< no loss: only vjp and forward
};

/// A unit attribute of modules: their positions may see later tokens although
/// the causal loss asks them to predict these.
inline constexpr llvm::StringLiteral kAllowLookaheadAttr = "te.allow_lookahead";

struct LossOptions {
  LossKind kind = LossKind::CausalLM;
  Reduction reduction = Reduction::Mean;
  int64_t ignoreIndex = -100;
};

/// The labels of a causal language model: `ids` [B,S], shifted.
Value buildCausalLabels(OpBuilder &builder, Location loc, Value ids,
                        const LossOptions &options);

/// The loss of `logits` [..., V] with integer `labels` of as many elements as
/// logits has rows. Fails with an error at `loc` when the sizes do not match.
FailureOr<CrossEntropyOp> buildCrossEntropy(OpBuilder &builder, Location loc,
                                            Value logits, Value labels,
                                            const LossOptions &options);

/// Reads an optimizer: an attribute such as "#te.sgd<nesterov = true>", of
/// which "#te." and "<>" may be missing: "sgd". Null, with an error at `loc`,
/// when it is not an optimizer.
OptimizerAttrInterface parseOptimizer(StringRef text, Location loc);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H
