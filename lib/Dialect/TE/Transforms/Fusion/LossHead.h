// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The head of a model as te-fuse-loss sees it: a loss with its gradient, and
// the linear layer that computes the logits.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSHEAD_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSHEAD_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// A loss whose logits nothing but itself and its gradient reads.
struct LossHead {
  RowwiseLossOpInterface loss;
  Value dlogits;
  /// What is computed from the loss, in front of its gradient and not for it.
  SmallVector<Operation *> followers;

  /// Finds the gradient; without it, says why the two stay apart. Ops that read
  /// the loss and do not need it read it no more.
  static FailureOr<LossHead> find(RowwiseLossOpInterface loss,
                                  std::string &reason);

  Value getLogits() const;
  RankedTensorType getLogitsType() const;
  Operation *getGradient() const { return dlogits.getDefiningOp(); }
  OpResult getLoss() const;
};

/// The linear layer around the loss: logits = x · op(w) + bias, and the two
/// products that read their gradient. They are te.matmul, whose addend sums the
/// gradient of the weight over parts.
struct Projection {
  MatmulOp fprop, dgrad, wgrad;

  static FailureOr<Projection> find(const LossHead &head, std::string &reason);

  /// The gradients' are null where they are not computed.
  SmallVector<MatmulOp> products() const { return {fprop, dgrad, wgrad}; }
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSHEAD_H
