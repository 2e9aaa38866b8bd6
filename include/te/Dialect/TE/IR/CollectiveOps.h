// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TECollectiveOps.td.

#ifndef TE_DIALECT_TE_IR_COLLECTIVEOPS_H
#define TE_DIALECT_TE_IR_COLLECTIVEOPS_H

#include "te/Dialect/TE/IR/TE.h"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TECollectiveOps.h.inc"

namespace mlir::te {

/// The rank's own of the scalars that `value` is the largest of, where it was
/// reduced over ranks (te.reduce_scalars); else `value`.
Value getOwnMaximum(Value value);
/// The same through collectives along one axis after the other.
Value getFirstMaximum(Value value);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_COLLECTIVEOPS_H
