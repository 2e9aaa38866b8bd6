// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on runtime calls. Each one's documentation is in Passes.td.

#ifndef TE_DIALECT_TERT_TRANSFORMS_PASSES_H
#define TE_DIALECT_TERT_TRANSFORMS_PASSES_H

#include "te/Analysis/BufferLiveness.h"

#include "mlir/Pass/Pass.h"

namespace mlir::te {

#define GEN_PASS_DECL
#include "te/Dialect/TERT/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "te/Dialect/TERT/Transforms/Passes.h.inc"

namespace tert {

/// Attaches BufferizableOpInterface to the ops of the tert dialect.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

/// Attaches UpdateCallOpInterface to collectives that can be merged.
void registerCollectiveCallExternalModels(DialectRegistry &registry);

} // namespace tert
} // namespace mlir::te

#endif // TE_DIALECT_TERT_TRANSFORMS_PASSES_H
