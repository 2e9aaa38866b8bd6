// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits of a dimension that consists of pieces, as in slices and
// concatenations.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_PIECESHARDINGS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_PIECESHARDINGS_H

#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

namespace mlir::te {

/// Fails for a reason (ShardableOpInterface::getSharding).
inline LogicalResult refuse(std::string &reason, const Twine &why) {
  reason = why.str();
  return failure();
}

/// The splits of consecutive pieces of these sizes, whose concatenation is
/// split as `whole`; nullopt if impossible.
std::optional<SmallVector<Cut>> splitPieces(const Cut &whole,
                                            ArrayRef<int64_t> sizes);

/// The split of a dimension that concatenates these pieces.
Cut joinPieces(ArrayRef<Cut> pieces);

/// Implements getSharding for an op whose first operand (`wholeIsResult`: only
/// result) is the concatenation along dimension `axis` of its results
/// (operands).
FailureOr<OpSharding> sharePieces(Operation *op, bool wholeIsResult,
                                  unsigned axis, bool ofResult, unsigned number,
                                  const DimSplit &cut, std::string &reason);

/// Registers the models of tensor, linalg and arith ops, for
/// registerShardableOpExternalModels.
void registerShardableTensorExternalModels(DialectRegistry &registry);

/// Registers the models of collectives along other axes.
void registerShardableCollectiveExternalModels(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_PIECESHARDINGS_H
