// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops with a lowering to upstream dialects.

#ifndef TE_DIALECT_TE_TRANSFORMS_LINALG_LINALGLOWERING_H
#define TE_DIALECT_TE_TRANSFORMS_LINALG_LINALGLOWERING_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "te/Dialect/TE/Transforms/Linalg/LinalgLoweringInterface.h.inc"

namespace mlir {
class DialectRegistry;
}

namespace mlir::te {

/// Attaches LinalgLoweringOpInterface to the ops of te.
void registerLinalgLoweringExternalModels(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_LINALG_LINALGLOWERING_H
