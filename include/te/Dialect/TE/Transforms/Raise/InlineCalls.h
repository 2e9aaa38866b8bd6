// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a model calls become part of it.

#ifndef TE_DIALECT_TE_TRANSFORMS_RAISE_INLINECALLS_H
#define TE_DIALECT_TE_TRANSFORMS_RAISE_INLINECALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir::te {

/// Whether an op that is not registered has regions.
bool hasUnknownRegions(ModuleOp module);

/// Upstream's inliner without its simplifications, on modules. It leaves a
/// module that hasUnknownRegions() as it is: they end the inliner with a crash,
/// and are refused by the passes behind it.
std::unique_ptr<Pass> createInlineCalls();

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_RAISE_INLINECALLS_H
