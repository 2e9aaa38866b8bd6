// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A head in slices of rows: the loss and its gradient between the products of
// the linear layer, one slice after the other.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_SLICEDLOSS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_SLICEDLOSS_H

#include "Fusion/LossHead.h"

namespace mlir::te {

/// Builds `head`, whose linear layer is `projection`, in slices of these
/// numbers of rows, its products over `paddedClasses` classes. Adds the slices'
/// losses to `loss` and returns the sum; `shared` comes from the loss's
/// buildShared. The new products replace both gradients, but the old ops are
/// left.
Value buildSlicedLoss(RewriterBase &builder, const LossHead &head,
                      const Projection &projection, ArrayRef<int64_t> parts,
                      int64_t paddedClasses, ValueRange shared, Value loss);

/// Builds the product that makes logits over `paddedClasses` classes, and
/// returns those of its own; the old op is left.
Value buildPaddedLogits(OpBuilder &builder, MatmulOp fprop,
                        int64_t paddedClasses);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_SLICEDLOSS_H
