// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_CONVERSION_TETOTERT_COLLECTIVES_H
#define TE_LIB_CONVERSION_TETOTERT_COLLECTIVES_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::te {

/// Attaches RuntimeOpInterface to the collectives.
void registerCollectiveRuntimeModels(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_TETOTERT_COLLECTIVES_H
