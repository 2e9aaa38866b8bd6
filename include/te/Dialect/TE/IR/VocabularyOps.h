// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TEVocabularyOps.td, and what they are replaced by.

#ifndef TE_DIALECT_TE_IR_VOCABULARYOPS_H
#define TE_DIALECT_TE_IR_VOCABULARYOPS_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TEVocabularyOps.h.inc"

namespace mlir::te {

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

#endif // TE_DIALECT_TE_IR_VOCABULARYOPS_H
