// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many calls as one (UpdateCallOpInterface).

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_JOINCALLS_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_JOINCALLS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace mlir::te {

/// Merges calls of `block` for which `takes` is true with those like them, if
/// no op in between depends on where they are. Returns the number of merged
/// calls.
unsigned joinCalls(Block &block, llvm::function_ref<bool(Operation *)> takes);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_JOINCALLS_H
