// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of queries that are a rank's part of a sequence, as attentions of
// one or two pieces that backends know how to do: the mask of a backend puts
// the last query beside the last key, so a piece is given the keys up to its
// own end.
#ifndef TERT_PROGRAM_ATTENTIONPIECES_H
#define TERT_PROGRAM_ATTENTIONPIECES_H

#include "program/Communicator.h"
#include "program/Tensor.h"

#include <cstdint>
#include <vector>

namespace tert {

/// Which queries a rank has, of a sequence that `ranks` share.
struct QueryPart {
  int64_t rank, ranks;
  bool balanced; ///< pieces rank and 2 * ranks - 1 - rank of 2 * ranks
};

/// Queries that follow each other in the sequence.
struct QueryPiece {
  int64_t first;    ///< among the rank's queries
  int64_t count;    ///< of queries
  int64_t position; ///< of the first one in the sequence
};

/// The pieces of a rank's `queries`, an even number if balanced: two with the
/// later one first, or one where they touch.
std::vector<QueryPiece> cutQueries(int64_t queries, const QueryPart &part);

/// The keys of a sequence of `keys` that a piece is given, the first ones, and
/// the window that means the same among them.
struct PieceMask {
  PieceMask(const QueryPiece &piece, int64_t keys, bool causal, int64_t window)
      : keys(causal ? piece.position + piece.count : keys),
        window(window == 0
                   ? 0
                   : window + this->keys - piece.position - piece.count) {}

  int64_t keys, window;
};

/// Part of a tensor, in its memory; null stays null.
class TensorSlice {
public:
  explicit TensorSlice(const tert_tensor *whole);
  TensorSlice(const TensorSlice &) = delete;
  TensorSlice &operator=(const TensorSlice &) = delete;

  /// Keeps [first, first + count) of a dimension.
  TensorSlice &cut(int32_t dim, int64_t first, int64_t count);

  const tert_tensor &operator*() const { return tensor; }
  const tert_tensor *get() const { return tensor.layout ? &tensor : nullptr; }

private:
  tert_layout layout;
  tert_tensor tensor;
};

} // namespace tert

#endif // TERT_PROGRAM_ATTENTIONPIECES_H
