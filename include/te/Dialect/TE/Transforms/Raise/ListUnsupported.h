// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What te-raise left behind that no later pass takes.

#ifndef TE_DIALECT_TE_TRANSFORMS_RAISE_LISTUNSUPPORTED_H
#define TE_DIALECT_TE_TRANSFORMS_RAISE_LISTUNSUPPORTED_H

#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

/// The ops of a forward function other than te's, constants and reshapes: what
/// is left of arith, math and linalg after te-raise.
UnsupportedList listUnsupported(func::FuncOp function);

/// Emits one error with all ops that round otherwise than to the nearest even
/// number: passes that look through conversions would lose how.
LogicalResult verifyRounding(ModuleOp module);

/// Emits one error per function that has such ops, with counts and positions.
LogicalResult verifySupported(ModuleOp module);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_RAISE_LISTUNSUPPORTED_H
