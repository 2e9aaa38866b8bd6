// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of integer inputs.

#ifndef TE_ANALYSIS_IDRANGES_H
#define TE_ANALYSIS_IDRANGES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::te {

/// Sets `te.range`, to the rows of the smallest of the tables, on every input
/// of the module's functions whose elements index tables (te.embedding),
/// perhaps reshaped. Other inputs, and those that have the attribute, are
/// unchanged.
void declareIdRanges(ModuleOp module);

} // namespace mlir::te

#endif // TE_ANALYSIS_IDRANGES_H
