// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces of TERTMemoryInterfaces.td.

#ifndef TE_DIALECT_TERT_IR_MEMORYINTERFACES_H
#define TE_DIALECT_TERT_IR_MEMORYINTERFACES_H

#include "te/Dialect/TERT/IR/TERT.h"

namespace mlir::te::tert {

/// How an operand depends on the rows of a call.
enum class RowUse {
  None,    ///< each row needs the whole operand
  Rows,    ///< each row needs its own row
  Columns, ///< each row is a column: a transposed copy
  Maximum, ///< the maximum over all rows
  Sum      ///< summed over the rows, in a fixed order
};

} // namespace mlir::te::tert

#include "te/Dialect/TERT/IR/TERTMemoryInterfaces.h.inc"

#endif // TE_DIALECT_TERT_IR_MEMORYINTERFACES_H
