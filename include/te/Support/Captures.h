// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that an op reads: its operands, and those captured by its regions.

#ifndef TE_SUPPORT_CAPTURES_H
#define TE_SUPPORT_CAPTURES_H

#include "mlir/IR/Operation.h"

namespace mlir::te {

/// The values defined outside the regions of `op` that ops in them use, each
/// once, in the order of their first use. They are not operands of `op`, but
/// are read by it as well. Includes constants.
SmallVector<Value> getCapturedValues(Operation *op);

/// Everything that executing `op` reads: its operands, then its captured
/// values.
SmallVector<Value> getReadValues(Operation *op);

} // namespace mlir::te

#endif // TE_SUPPORT_CAPTURES_H
