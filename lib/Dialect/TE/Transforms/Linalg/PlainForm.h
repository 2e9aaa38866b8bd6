// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalization in te-import-linalg, before structured ops are rewritten as ops
// on tensors.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_PLAINFORM_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_PLAINFORM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

class UnsupportedList;

/// Turns values computed from constants alone into constants: masks and tables
/// are recognised by their values. Broadcasts of constants stay.
void foldConstants(func::FuncOp model);

/// Turns computation in float64 into float32. Adds ops that would not mean the
/// same to `problems`.
void narrowDoubles(func::FuncOp model, UnsupportedList &problems);

/// Normalizes structured ops: removes unused results and reduced dimensions of
/// one element, and turns windows of an operand (convolutions) into dimensions.
void normalizeStructuredOps(func::FuncOp model);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_PLAINFORM_H
