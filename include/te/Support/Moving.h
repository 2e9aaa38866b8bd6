// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving operations of large blocks.

#ifndef TE_SUPPORT_MOVING_H
#define TE_SUPPORT_MOVING_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace mlir::te {

/// As op->moveBefore(place), but keeps the order numbers of the block's other
/// ops valid. moveBefore invalidates them, and the next isBeforeInBlock
/// renumbers all of them: a pass that moves an op in each layer takes time
/// quadratic in the number of layers.
inline void moveKeepingOrder(Operation *op, Operation *place) {
  op->remove();
  place->getBlock()->getOperations().insert(place->getIterator(), op);
}

} // namespace mlir::te

#endif // TE_SUPPORT_MOVING_H
