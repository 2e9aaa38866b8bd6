// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removal of ops with unused results.

#ifndef TE_SUPPORT_DEADOPS_H
#define TE_SUPPORT_DEADOPS_H

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::te {

/// Erases the ops of a block that have no effects and no uses, the last first,
/// so that their operands' definitions are erased, too.
inline void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

} // namespace mlir::te

#endif // TE_SUPPORT_DEADOPS_H
