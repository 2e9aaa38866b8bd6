// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element type and the rows that a read of a parameter requires.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_PARAMETERREADS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_PARAMETERREADS_H

#include "Distribution/States/FlatShards.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::te {

/// The narrowest element type that suffices for a read of a parameter.
Type getReadType(OpOperand &use);

/// The reads of a parameter, or of what it is truncated to, and the narrowest
/// element types that suffice for them.
SmallVector<std::pair<OpOperand *, Type>>
findParameterReads(BlockArgument parameter);

/// Makes a read take `value`, of such an element type. Leaves dead ops behind.
void readInstead(RewriterBase &rewriter, OpOperand &use, Value value);

/// True if the ranks together look up few rows of a table in f32.
bool isFewRows(EmbeddingOp op, const FlatShards &parts);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_PARAMETERREADS_H
