// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts of a dimension that consists of pieces, as splits and concatenations
// have them.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_BLOCKS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_BLOCKS_H

#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

namespace mlir::te {

/// The cuts of consecutive pieces of these sizes, when `whole` is refined to
/// have a boundary between each two; nothing where that cannot be.
std::optional<SmallVector<Cut>> cutPieces(const Cut &whole,
                                          ArrayRef<int64_t> sizes);

/// The cut of a dimension of consecutive pieces.
Cut joinPieces(ArrayRef<Cut> pieces);

/// getSharding of an op whose first operand, or only result, consists of its
/// results, or operands, along dimension `axis`.
FailureOr<OpSharding> sharePieces(Operation *op, bool wholeIsResult,
                                  unsigned axis, bool ofResult, unsigned number,
                                  const DimCut &cut, std::string &reason);

/// The part of registerShardableOpExternalModels that is about tensor, linalg
/// and arith.
void registerShardableTensorExternalModels(DialectRegistry &registry);

/// That about exchanges along other axes.
void registerShardableCollectiveExternalModels(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_BLOCKS_H
