// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TECollectiveOps.td.

#ifndef TE_DIALECT_TE_IR_COLLECTIVEOPS_H
#define TE_DIALECT_TE_IR_COLLECTIVEOPS_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/SymbolTable.h"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TECollectiveOps.h.inc"

namespace mlir::te {

/// The rank's own of the scalars that `value` is the largest of, where it was
/// reduced over ranks (te.reduce_scalars); else `value`.
Value getOwnMaximum(Value value);
/// The same through collectives along one axis after the other.
Value getFirstMaximum(Value value);

/// The place of the rank among `ranks` along axes of a mesh, tensor<1xi64>.
Value createRankIndex(OpBuilder &builder, Location loc, StringRef grid,
                      ArrayRef<shard::GridAxis> axes, int64_t ranks);

/// The rows of a table of `classes` rows that ranks share, of which rank r of
/// `ranks` has [r * N, (r + 1) * N): zeros where an id is another rank's. The
/// sum over the ranks is te.embedding of the whole table.
Value createVocabularyRows(OpBuilder &builder, Location loc, Value ids,
                           Value table, int64_t classes, StringRef grid,
                           ArrayRef<shard::GridAxis> axes, int64_t ranks);

/// Replace the op by what it is made of. Fail where its grid is none.
LogicalResult expandVocabularyCrossEntropy(VocabularyCrossEntropyOp op);
LogicalResult expandVocabularyCrossEntropyGrad(VocabularyCrossEntropyGradOp op);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_COLLECTIVEOPS_H
