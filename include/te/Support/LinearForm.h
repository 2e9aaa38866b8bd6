// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine expressions that are linear in their dimensions.

#ifndef TE_SUPPORT_LINEARFORM_H
#define TE_SUPPORT_LINEARFORM_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::te {

/// constant + the sum of coefficients times dimensions.
struct LinearForm {
  explicit LinearForm(unsigned numDims = 0) : coefficients(numDims, 0) {}

  /// Adds `scale * expr`; returns false if the expression is not linear.
  bool add(AffineExpr expr, int64_t scale = 1);

  int64_t constant = 0;
  SmallVector<int64_t> coefficients; ///< by dimension
};

} // namespace mlir::te

#endif // TE_SUPPORT_LINEARFORM_H
