// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which integers an input may hold.

#ifndef TE_ANALYSIS_IDRANGES_H
#define TE_ANALYSIS_IDRANGES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::te {

/// Gives every input of the module's functions whose elements choose rows of
/// tables (te.embedding), perhaps in another shape, the attribute `te.range`:
/// the rows of the smallest of the tables. Others, and those that have the
/// attribute, stay as they are.
void declareIdRanges(ModuleOp module);

} // namespace mlir::te

#endif // TE_ANALYSIS_IDRANGES_H
