// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the bias of an attention hides, whatever its other numbers are.

#ifndef TE_LIB_DIALECT_TE_IR_MASKEDKEYS_H
#define TE_LIB_DIALECT_TE_IR_MASKEDKEYS_H

#include "mlir/IR/Value.h"

namespace mlir::te {

/// Whether `bias`, [..., queries, keys], is so low at all keys behind a query's
/// own that they are hidden (-1e4 or less). Query i stands at key
/// i + keys - queries. False where that is not known: it follows constants
/// through sums, choices, truth values, copies and reshapes.
bool masksLaterKeys(Value bias);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_IR_MASKEDKEYS_H
