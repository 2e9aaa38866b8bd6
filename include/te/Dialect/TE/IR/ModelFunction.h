// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a module of plain MLIR says which of its functions is the model.

#ifndef TE_DIALECT_TE_IR_MODELFUNCTION_H
#define TE_DIALECT_TE_IR_MODELFUNCTION_H

#include "llvm/ADT/StringRef.h"

namespace mlir::te {

/// On a function, without a value: it is the model (te-import-linalg).
inline constexpr llvm::StringLiteral kModelAttr = "te.model";

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_MODELFUNCTION_H
