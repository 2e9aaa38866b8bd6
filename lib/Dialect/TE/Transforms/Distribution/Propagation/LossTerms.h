// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses in a shardable form: sums with a divisor instead of means.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_LOSSTERMS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_LOSSTERMS_H

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// Rewrites a mean as a sum divided by the number of its terms, with labels
/// counted separately.
void divideApart(CrossEntropyOp op);
void divideApart(SquaredErrorOp op);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_LOSSTERMS_H
