// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that change what functions take leave nobody behind who calls them.

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_CALLS_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_CALLS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::te {

/// Fails, with an error at each of them, if functions of the module are called
/// in it. `change` says what the pass does to them: "gives an arena".
LogicalResult refuseCalls(ModuleOp module, StringRef pass, StringRef change);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_CALLS_H
