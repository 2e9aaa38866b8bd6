// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in the memory of arguments whose values are no longer needed.

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_DONATEDMEMORY_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_DONATEDMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

/// Makes allocations of `function`, which has one block, views of arguments
/// with `te.donated`, each behind the argument's last use: larger ones first,
/// in the smallest argument that has room. Offsets are multiples of
/// `alignment`. Fails, with an error, if the size of a buffer is not known.
LogicalResult reuseDonated(func::FuncOp function, int64_t alignment);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_DONATEDMEMORY_H
