// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_RECOMPUTEDOPS_H
#define TE_DIALECT_TE_IR_RECOMPUTEDOPS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::te {

/// A unit attribute of ops that repeat ops of the forward pass for the backward
/// pass (te-recompute): they are part of it, whatever they read.
inline constexpr llvm::StringLiteral kRecomputedAttr = "te.recomputed";

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_RECOMPUTEDOPS_H
