// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in the memory of arguments whose values are no longer needed.

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_ARGUMENTMEMORY_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_ARGUMENTMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

/// Makes allocations of `function`, which has one block, views of arguments
/// while these hold nothing: behind the last use of those with `te.donated`,
/// and before the first use of outputs that have no place in the arena. Larger
/// ones come first, in the smallest argument that has room. Offsets are
/// multiples of `alignment`. Fails, with an error, if the size of a buffer is
/// not known.
LogicalResult reuseArguments(func::FuncOp function,
                             function_ref<bool(BlockArgument)> hasPlace,
                             int64_t alignment);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_ARGUMENTMEMORY_H
