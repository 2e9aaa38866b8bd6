// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/AttentionPieces.h"

using namespace tert;

std::vector<QueryPiece> tert::splitQueries(int64_t queries,
                                           const QueryShard &part) {
  if (!part.balanced)
    return {{0, queries, part.rank * queries}};
  const int64_t count = queries / 2;
  const int64_t early = part.rank * count;
  const int64_t late = (2 * part.ranks - 1 - part.rank) * count;
  if (late == early + count)
    return {{0, queries, early}};
  return {{count, count, late}, {0, count, early}};
}

TensorSlice::TensorSlice(const tert_tensor *whole) : layout(), tensor() {
  if (!whole)
    return;
  layout = *whole->layout;
  tensor = {whole->data, &layout};
}

TensorSlice &TensorSlice::cut(int32_t dim, int64_t first, int64_t count) {
  tensor.data = static_cast<char *>(tensor.data) +
                first * layout.strides[dim] * bytesOf(layout.dtype);
  layout.sizes[dim] = count;
  return *this;
}
