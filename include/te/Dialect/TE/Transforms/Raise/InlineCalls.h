// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines the functions that a model calls.

#ifndef TE_DIALECT_TE_TRANSFORMS_RAISE_INLINECALLS_H
#define TE_DIALECT_TE_TRANSFORMS_RAISE_INLINECALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir::te {

/// True if an unregistered op has regions.
bool hasUnknownRegions(ModuleOp module);

/// Upstream's inliner without its simplifications, on modules. Skips a module
/// that hasUnknownRegions(): these crash the inliner, and are rejected by later
/// passes.
std::unique_ptr<Pass> createInlineCalls();

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_RAISE_INLINECALLS_H
