// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TERTViewOps.td.

#ifndef TE_DIALECT_TERT_IR_VIEWOPS_H
#define TE_DIALECT_TERT_IR_VIEWOPS_H

#include "te/Dialect/TERT/IR/TERT.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

#define GET_OP_CLASSES
#include "te/Dialect/TERT/IR/TERTViewOps.h.inc"

namespace mlir::te::tert {

/// Strides and offset of a memref type, in elements. An empty type without a
/// layout, for which the type's own method fails, is row-major.
LogicalResult getStridesAndOffset(MemRefType type,
                                  SmallVectorImpl<int64_t> &strides,
                                  int64_t &offset);

} // namespace mlir::te::tert

#endif // TE_DIALECT_TERT_IR_VIEWOPS_H
