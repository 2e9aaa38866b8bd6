// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits attention over a rank's shard of the queries into one or two
// attentions that backends support: a backend's mask aligns the last query with
// the last key, so a piece is given the keys up to its own end.
#ifndef TERT_PROGRAM_ATTENTIONPIECES_H
#define TERT_PROGRAM_ATTENTIONPIECES_H

#include "collectives/Communicator.h"
#include "program/Tensor.h"

#include <cstdint>
#include <vector>

namespace tert {

/// The shard of a rank's queries, in a sequence shared by `ranks`.
struct QueryShard {
  int64_t rank, ranks;
  bool balanced; ///< pieces rank and 2 * ranks - 1 - rank of 2 * ranks
};

/// Consecutive queries of the sequence.
struct QueryPiece {
  int64_t first;    ///< index among the rank's queries
  int64_t count;    ///< number of queries
  int64_t position; ///< of the first query in the sequence
};

/// The pieces of a rank's `queries` (an even number if balanced): two, the
/// later one first, or one if they are adjacent.
std::vector<QueryPiece> splitQueries(int64_t queries, const QueryShard &part);

/// The number of leading keys, of a sequence of `keys`, that a piece is given,
/// and the equivalent window over them.
struct PieceMask {
  PieceMask(const QueryPiece &piece, int64_t keys, bool causal, int64_t window)
      : keys(causal ? piece.position + piece.count : keys),
        window(window == 0
                   ? 0
                   : window + this->keys - piece.position - piece.count) {}

  int64_t keys, window;
};

/// A slice of a tensor, sharing its memory; null stays null.
class TensorSlice {
public:
  explicit TensorSlice(const tert_tensor *whole);
  TensorSlice(const TensorSlice &) = delete;
  TensorSlice &operator=(const TensorSlice &) = delete;

  /// Restricts a dimension to [first, first + count).
  TensorSlice &cut(int32_t dim, int64_t first, int64_t count);

  const tert_tensor &operator*() const { return tensor; }
  const tert_tensor *get() const { return tensor.layout ? &tensor : nullptr; }

private:
  tert_layout layout;
  tert_tensor tensor;
};

} // namespace tert

#endif // TERT_PROGRAM_ATTENTIONPIECES_H
