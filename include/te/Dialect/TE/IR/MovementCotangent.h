// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cotangents of what ops move, within a tensor or between ranks.

#ifndef TE_DIALECT_TE_IR_MOVEMENTCOTANGENT_H
#define TE_DIALECT_TE_IR_MOVEMENTCOTANGENT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::te {

/// The shape of the operand `x` with the element type of the result's
/// `cotangent`. Both are ranked tensors.
RankedTensorType typeOfCotangent(Value x, Value cotangent);

/// What is summed, where `cotangent` is a shard.all_reduce that sums over the
/// ranks along `axes` of `grid` and that nothing reads yet: nobody needs the
/// whole of it. Null elsewhere.
Value getTermsOfUnreadSum(Value cotangent, StringRef grid,
                          ArrayRef<int16_t> axes);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_MOVEMENTCOTANGENT_H
