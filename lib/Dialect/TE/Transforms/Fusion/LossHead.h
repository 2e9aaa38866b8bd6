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

/// The linear layer before the loss: logits = x · op(w) + bias, and the two
/// products that read their gradient. They are te.matmul, whose addend
/// accumulates the gradient of the weight over slices.
struct Projection {
  MatmulOp fprop, dgrad, wgrad;

  static FailureOr<Projection> find(const LossHead &head, std::string &reason);

  /// Gradient products are null if they are not computed.
  SmallVector<MatmulOp> products() const { return {fprop, dgrad, wgrad}; }
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSHEAD_H
