// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One parameter under several names, as an LM head that is the token table.

#ifndef TE_DIALECT_TE_IR_TIEDNAMES_H
#define TE_DIALECT_TE_IR_TIEDNAMES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::te {

/// On a module: for every parameter with several names in the model that was
/// exported, a list of those that the program does not use:
///   te.tied = {"lm_head.weight" = ["transformer.wte.weight"]}
/// Nothing is computed from it; it is what gives the names back to a framework.
inline constexpr llvm::StringLiteral kTiedAttr = "te.tied";

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_TIEDNAMES_H
