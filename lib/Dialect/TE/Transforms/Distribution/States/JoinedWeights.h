// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights that concatenate the rows of several sharded parameters: quantized
// together, gathered one by one.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_JOINEDWEIGHTS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_JOINEDWEIGHTS_H

#include "Distribution/States/ShardPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::te {

/// A concatenation of parameters' rows that is only quantized and reduced to
/// its amax.
struct JoinedWeight {
  tensor::ConcatOp concat;
  SmallVector<const FlatShards *> parts;
};

/// Matches such a concatenation if ranks hold rows of all its operands.
std::optional<JoinedWeight> findJoinedWeight(tensor::ConcatOp concat,
                                             const ShardPlan &plan);

/// This rank's rows of `weight` as one matrix: those of the first parameter,
/// then those of the second.
Value joinShards(OpBuilder &builder, const JoinedWeight &weight);

/// The rowwise copy of all of `weight`, from the copy of joinShards's result.
Value gatherJoined(OpBuilder &builder, Location loc, const JoinedWeight &weight,
                   Value copy);

/// Moves the ops that make `value` before `place` if possible.
bool makeAvailable(Value value, Operation *place);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_JOINEDWEIGHTS_H
