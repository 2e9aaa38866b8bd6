// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States that are copies of parameters.

#ifndef TE_DIALECT_TE_IR_WEIGHTCOPY_H
#define TE_DIALECT_TE_IR_WEIGHTCOPY_H

#include "llvm/ADT/StringRef.h"

namespace mlir::te {

/// The kind (te.kind) of a state that is a copy of a parameter in a narrower
/// type, with rows of zeros below its last if it has more.
inline constexpr llvm::StringLiteral kWeightCopyKind = "weight_copy";

/// On such a state: the parameter, where the state is not named "copy." and
/// its name.
inline constexpr llvm::StringLiteral kCopyOfAttr = "te.copy_of";

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_WEIGHTCOPY_H
