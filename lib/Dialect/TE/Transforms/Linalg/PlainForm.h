// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What te-import-linalg does before structured ops are written as ops on
// tensors, so that what means the same looks the same.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_PLAINFORM_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_PLAINFORM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

class UnsupportedList;

/// What is computed from constants alone becomes constants: masks and tables
/// are recognised by their values. What only repeats constants stays.
void foldConstants(func::FuncOp model);

/// Computation in float64 becomes computation in float32. Fills `problems` with
/// what would not mean the same then.
void narrowDoubles(func::FuncOp model, UnsupportedList &problems);

/// The plain form of structured ops: results that nothing reads are gone,
/// reductions have no dimensions of one element for what they reduced, and
/// windows of an operand (convolutions) are dimensions of their own.
void normalizeStructuredOps(func::FuncOp model);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_PLAINFORM_H
