// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over the numbers of a state, times others: what is read of a recurrence.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANREADOUTS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANREADOUTS_H

#include "Raise/StridedView.h"

namespace mlir::te {

/// y = sum of query * state over some dimensions, of one step.
struct ScanReadout {
  /// A piece of a dimension of the state, along which all is alike.
  struct Piece {
    int64_t size;
    int64_t queryStride; ///< 0 where the query repeats
    bool isSummed;

    bool operator==(const Piece &other) const {
      return size == other.size && queryStride == other.queryStride &&
             isSummed == other.isSummed;
    }
  };
  SmallVector<Piece> pieces;  ///< in the state's row-major order
  SmallVector<unsigned> kept; ///< pieces in the result's row-major order
  Value query;                ///< what the query is elements of
  int64_t queryOffset = 0;
  Value result;

  /// That by an op that reads the state, or a reshape of it, as `reader`.
  static std::optional<ScanReadout> get(OpOperand &reader);
  /// Divides the piece in which the last `elements` of what is read begin.
  void splitAt(int64_t elements);
  /// Whether it differs in the result and the query's offset only.
  bool isLike(const ScanReadout &other) const {
    return pieces == other.pieces && kept == other.kept && query == other.query;
  }
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANREADOUTS_H
