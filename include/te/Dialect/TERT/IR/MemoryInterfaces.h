// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces of TERTMemoryInterfaces.td.

#ifndef TE_DIALECT_TERT_IR_MEMORYINTERFACES_H
#define TE_DIALECT_TERT_IR_MEMORYINTERFACES_H

#include "te/Dialect/TERT/IR/TERT.h"

namespace mlir::te::tert {

/// What the rows of a call are to one of its operands.
enum class RowUse {
  None,    ///< all rows need the whole operand
  Rows,    ///< its rows
  Columns, ///< its columns: a transposed copy
  Maximum, ///< it is the largest value of all rows
  Sum      ///< it is summed over the rows, in an order that counts
};

} // namespace mlir::te::tert

#include "te/Dialect/TERT/IR/TERTMemoryInterfaces.h.inc"

#endif // TE_DIALECT_TERT_IR_MEMORYINTERFACES_H
