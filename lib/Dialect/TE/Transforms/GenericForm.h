// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured ops as linalg.generic.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_GENERICFORM_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_GENERICFORM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mlir::te {

/// `op` if it is a linalg.generic, or its generic replacement; fails for a
/// named op that has no such form, which stays. The rewriter inserts before the
/// result.
inline FailureOr<linalg::GenericOp> toGeneric(RewriterBase &rewriter,
                                              linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  if (succeeded(generic))
    rewriter.setInsertionPoint(*generic);
  return generic;
}

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_GENERICFORM_H
