// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops remaining after te-raise that no later pass supports.

#ifndef TE_DIALECT_TE_TRANSFORMS_RAISE_LISTUNSUPPORTED_H
#define TE_DIALECT_TE_TRANSFORMS_RAISE_LISTUNSUPPORTED_H

#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

/// The ops of a forward function other than te's, constants and reshapes: those
/// of arith, math and linalg that remain after te-raise.
UnsupportedList listUnsupported(func::FuncOp function);

/// Emits one error with all ops whose rounding mode is not to-nearest-even:
/// passes that look through conversions would lose the mode.
LogicalResult verifyRounding(ModuleOp module);

/// Emits one error per function that has such ops, with counts and positions.
LogicalResult verifySupported(ModuleOp module);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_RAISE_LISTUNSUPPORTED_H
