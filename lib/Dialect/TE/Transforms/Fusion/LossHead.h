// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The head of a model in te-fuse-loss: a loss with its gradient, and the linear
// layer that computes the logits.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSHEAD_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSHEAD_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// A loss whose logits are read only by itself and its gradient.
struct LossHead {
  RowwiseLossOpInterface loss;
  Value dlogits;
  /// Users of the loss before its gradient, and not needed for it.
  SmallVector<Operation *> followers;

  /// Finds the gradient; without it, reports why the two stay apart. Removes
  /// reads of the loss that are not needed.
  static FailureOr<LossHead> find(RowwiseLossOpInterface loss,
                                  std::string &reason);

  Value getLogits() const;
  RankedTensorType getLogitsType() const;
  Operation *getGradient() const { return dlogits.getDefiningOp(); }
  OpResult getLoss() const;
};

/// The linear layer before the loss in high precision: logits = x · op(w) +
/// bias, and the two products that read their gradient. They are te.matmul,
/// whose addend accumulates the gradient of the weight over slices.
struct Projection {
  MatmulOp fprop, dgrad, wgrad;

  static FailureOr<Projection> find(const LossHead &head, std::string &reason);

  /// Gradient products are null if they are not computed.
  SmallVector<Operation *> products() const { return {fprop, dgrad, wgrad}; }
};

/// The linear layer before the loss in FP8: logits = x · wᵀ of copies, with
/// columns that te-quantize added cut off, and the products that read copies of
/// their gradient. These are made with a scale that is known before it, as of
/// delayed scaling.
struct ScaledProjection {
  ScaledMatmulOp fprop, dgrad, wgrad;
  /// Of the gradient of the logits.
  QuantizeOp quantize;

  /// Whether the logits come from an FP8 product.
  static bool isOf(const LossHead &head);
  static FailureOr<ScaledProjection> find(const LossHead &head,
                                          std::string &reason);

  /// The operand of wgrad that is a copy of the layer's input.
  OpOperand &getWgradInput() const;
  /// Classes, with the columns that te-quantize added.
  int64_t getPaddedClasses() const;
  /// FP8 copies of the gradient of the logits.
  int64_t countCopies() const { return (dgrad ? 1 : 0) + (wgrad ? 1 : 0); }
  SmallVector<Operation *> products() const { return {fprop, dgrad, wgrad}; }
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSHEAD_H
