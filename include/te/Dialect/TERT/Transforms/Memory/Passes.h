// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that reduce the memory of programs. Each one's documentation is in
// Passes.td.

#ifndef TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_H
#define TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::te {

#define GEN_PASS_DECL
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"

namespace tert {

/// Attaches the interfaces of TERTMemoryInterfaces.td.
void registerMemoryCallExternalModels(DialectRegistry &registry);

/// Attaches UpdateCallOpInterface to in-place rotations, which
/// tert-join-updates merges if heads are adjacent.
void registerRopeCallExternalModels(DialectRegistry &registry);

} // namespace tert
} // namespace mlir::te

#endif // TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_H
