// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Embeddings of sharded tables: locates this rank's shard in the table.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

/// Checks `table`, the shard, of the context's rank along `axes`, of a table
/// [rows, cols].
static TableShard partOf(const tert_context &context, int32_t axes,
                         const char *name, const tert_tensor *table,
                         int64_t rows, int64_t cols) {
  const Group group = context.groupAlong(axes);
  Operand part(name, table);
  part.hasDtype(TERT_F32).isContiguous();
  if (rows < 0)
    invalidArgument("'num_rows' is " + std::to_string(rows));
  const int64_t size = numElements(*table), ranks = group.size();
  int64_t count = 0, padded = 0;
  if (__builtin_mul_overflow(rows, cols, &count) ||
      __builtin_mul_overflow(size, ranks, &padded) || padded < count ||
      padded - count >= ranks)
    part.fail("the shard of one of " + std::to_string(ranks) +
              " ranks of a table [" + std::to_string(rows) + ", " +
              std::to_string(cols) + "]");
  const int64_t first = std::min(group.rank * size, count);
  return {static_cast<float *>(table->data), rows, cols, first,
          std::min(first + size, count)};
}

/// Checks `rows`, one for every id, and returns their length.
static int64_t checkRows(const tert_tensor *ids, const Operand &rows) {
  Operand tokens("ids", ids);
  tokens.isInteger().hasRank(1).hasUnitInnerStride();
  rows.isFloatMatrix();
  rows.hasShape({tokens.size(0), rows.size(1)}, "a row for every id");
  return rows.size(1);
}

tert_status tert_embedding_part(tert_context *context, const tert_site *site,
                                const tert_tensor *ids,
                                const tert_tensor *table, const tert_tensor *y,
                                int64_t num_rows, int32_t axes) {
  return callOp(context, site, "tert.embedding_part", [&](OpCall &op) {
    const int64_t cols = checkRows(ids, {"y", y});
    op.embeddingShard(
        *ids, partOf(*context, axes, "table", table, num_rows, cols), *y);
    op.moves({ids, y, y});
  });
}

tert_status tert_add_embedding_grad_part(tert_context *context,
                                         const tert_site *site,
                                         const tert_tensor *ids,
                                         const tert_tensor *dy,
                                         const tert_tensor *dtable,
                                         int64_t num_rows, int32_t axes) {
  return callOp(context, site, "tert.add_embedding_grad_part", [&](OpCall &op) {
    const int64_t cols = checkRows(ids, {"dy", dy});
    const TableShard part =
        partOf(*context, axes, "dtable", dtable, num_rows, cols);
    if (!part.empty())
      op.addEmbeddingGradShard(*ids, *dy, part);
    // An upper bound of the rows that are read and written.
    op.moves({ids, dy, dy, dy});
  });
}
