// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Integers.h"
#include "cpu/Loops.h"
#include "program/Error.h"
#include "program/TableShard.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Embedding.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Simd-inl.h"

#include <string>

#ifndef TERT_CPU_EMBEDDING_PIECE
#define TERT_CPU_EMBEDDING_PIECE
namespace tert::cpu {
/// Columns that are converted or summed at a time.
constexpr int64_t embeddingPiece = 256;
} // namespace tert::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Rows [first, last) of y: the table's rows, converted.
void gatherRows(const Integers &ids, const Matrix &table, const Matrix &y,
                int64_t first, int64_t last) {
  HWY_ALIGN float buffer[embeddingPiece];
  for (int64_t i = first; i < last; ++i) {
    const int64_t id = ids[i];
    if (table.dtype == y.dtype) {
      std::memcpy(y.address(i), table.address(id), y.cols * bytesOf(y.dtype));
      continue;
    }
    for (int64_t j = 0; j < y.cols; j += embeddingPiece) {
      int64_t cols = HWY_MIN(embeddingPiece, y.cols - j);
      writeRow(y.dtype, asF32(table, id, j, cols, buffer), y.address(i, j),
               cols);
    }
  }
}

/// Rows [first, last) of y: rows in this shard of the table, converted, and
/// zeros for all others.
void gatherShardRows(const Integers &ids, const TableShard &table,
                     const Matrix &y, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; ++i) {
    const int64_t row = ids[i] * table.cols;
    const int64_t begin = HWY_MAX(int64_t(0), table.first - row);
    const int64_t end = HWY_MIN(table.cols, table.end - row);
    std::memset(y.address(i), 0, y.cols * bytesOf(y.dtype));
    if (begin < end)
      writeRow(y.dtype, table.data + (row + begin - table.first),
               y.address(i, begin), end - begin);
  }
}

/// Columns [col, col + cols), at most embeddingPiece, of one row of dtable: the
/// sum of the rows of dy at `count` positions, in that order. With `adds`, the
/// sum is added to the row in f32.
void sumPositions(const Matrix &dy, const int64_t *positions, int64_t count,
                  const Matrix &dtable, int64_t row, int64_t col, int64_t cols,
                  bool adds) {
  if (adds && count == 0)
    return;
  HWY_ALIGN float sum[embeddingPiece] = {};
  withFloat(dy.dtype, dy.data, [&](auto *dyData) HWY_ATTR {
    for (int64_t i = 0; i < count; ++i) {
      const auto *dyRow = dyData + positions[i] * dy.stride + col;
      forVectors(cols, [&](int64_t j, int64_t lanes) HWY_ATTR {
        storeF32(hn::Add(loadF32(sum + j), loadF32(dyRow + j, lanes)), sum + j);
      });
    }
  });
  if (adds) {
    float *result = static_cast<float *>(dtable.address(row, col));
    forVectors(cols, [&](int64_t j, int64_t lanes) HWY_ATTR {
      storeF32(hn::Add(loadF32(result + j, lanes), loadF32(sum + j)),
               result + j, lanes);
    });
    return;
  }
  writeRow(dtable.dtype, sum, dtable.address(row, col), cols);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(gatherRows);
HWY_EXPORT(gatherShardRows);
HWY_EXPORT(sumPositions);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

static void checkIds(const Integers &ids, int64_t count, int64_t tableRows) {
  for (int64_t i = 0; i < count; ++i)
    if (ids[i] < 0 || ids[i] >= tableRows)
      throw Error(TERT_INVALID_DATA, "token id " + std::to_string(ids[i]) +
                                         " at position " + std::to_string(i) +
                                         " is outside the table's [0, " +
                                         std::to_string(tableRows) +
                                         "): check the tokenizer and the data");
}

/// Gathers rows of a table, or of this rank's shard of it, with `Gather`.
template <typename Table, typename Gather>
static void gatherAll(Execution &execution, const Integers &ids,
                      const Table &table, const Matrix &y, Gather gather) {
  checkIds(ids, y.rows, table.rows);
  RowTasks tasks(y.rows, y.cols);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    int64_t first = tasks.first(task);
    gather(ids, table, y, first, first + tasks.size(task));
  });
}

void cpu::embedding(Execution &execution, const tert_tensor &ids,
                    const tert_tensor &table, const tert_tensor &y) {
  gatherAll(execution, Integers(ids), Matrix(table), Matrix(y),
            HWY_DYNAMIC_DISPATCH(gatherRows));
}

void cpu::embeddingShard(Execution &execution, const tert_tensor &ids,
                         const TableShard &table, const tert_tensor &y) {
  gatherAll(execution, Integers(ids), table, Matrix(y),
            HWY_DYNAMIC_DISPATCH(gatherShardRows));
}

/// Rows [firstRow, firstRow + result.rows) of a table of `tableRows` rows.
/// Elements [first, end), counted from the beginning of the first of them, are
/// present.
struct TableRows {
  Matrix result;
  int64_t firstRow, tableRows;
  int64_t first, end;
};

/// With `adds`, the sums are added to the result's elements.
static void sumRowsById(Execution &execution, const tert_tensor &ids,
                        const tert_tensor &dy, const TableRows &rows,
                        bool adds) {
  Integers tokens(ids);
  Matrix cotangent(dy);
  const Matrix &result = rows.result;
  checkIds(tokens, cotangent.rows, rows.tableRows);
  // Negative for an id outside of these rows.
  auto rowOf = [&](int64_t i) {
    int64_t row = tokens[i] - rows.firstRow;
    return row < result.rows ? row : -1;
  };

  // Positions sorted by id, in order within an id. Those of `id` start at
  // begin[id].
  Scratch::Frame frame(execution.scratch);
  int64_t *begin = frame.take<int64_t>(result.rows + 1);
  int64_t *next = frame.take<int64_t>(result.rows);
  int64_t *positions = frame.take<int64_t>(cotangent.rows);
  std::fill_n(begin, result.rows + 1, 0);
  for (int64_t i = 0; i < cotangent.rows; ++i)
    if (int64_t row = rowOf(i); row >= 0)
      ++begin[row + 1];
  for (int64_t id = 0; id < result.rows; ++id) {
    begin[id + 1] += begin[id];
    next[id] = begin[id];
  }
  for (int64_t i = 0; i < cotangent.rows; ++i)
    if (int64_t row = rowOf(i); row >= 0)
      positions[next[row]++] = i;

  // A task is a band of rows of the table in one group of columns, so that a
  // table with few rows still makes several tasks.
  constexpr int64_t bandRows = 8;
  const int64_t pieces = ceilDiv(result.cols, embeddingPiece);
  const int64_t bands = ceilDiv(result.rows, bandRows);
  auto sum = HWY_DYNAMIC_DISPATCH(sumPositions);
  execution.pool.parallelFor(bands * pieces, [&](int64_t task, int) {
    int64_t col = task % pieces * embeddingPiece;
    int64_t last = std::min(col + embeddingPiece, result.cols);
    int64_t row = task / pieces * bandRows;
    for (int64_t id = row; id < std::min(row + bandRows, result.rows); ++id) {
      int64_t from = std::max(col, rows.first - id * result.cols);
      int64_t to = std::min(last, rows.end - id * result.cols);
      if (from < to)
        sum(cotangent, positions + begin[id], begin[id + 1] - begin[id], result,
            id, from, to - from, adds);
    }
  });
}

static TableRows wholeTable(const tert_tensor &dtable) {
  Matrix table(dtable);
  return {table, 0, table.rows, 0, table.rows * table.cols};
}

void cpu::embeddingGrad(Execution &execution, const tert_tensor &ids,
                        const tert_tensor &dy, const tert_tensor &dtable) {
  sumRowsById(execution, ids, dy, wholeTable(dtable), /*adds=*/false);
}

void cpu::addEmbeddingGrad(Execution &execution, const tert_tensor &ids,
                           const tert_tensor &dy, const tert_tensor &dtable) {
  sumRowsById(execution, ids, dy, wholeTable(dtable), /*adds=*/true);
}

void cpu::addEmbeddingGradShard(Execution &execution, const tert_tensor &ids,
                                const tert_tensor &dy,
                                const TableShard &dtable) {
  const int64_t before = dtable.firstRow() * dtable.cols;
  sumRowsById(execution, ids, dy,
              {Matrix(dtable.firstRowData(), TERT_F32, dtable.numRows(),
                      dtable.cols, dtable.cols),
               dtable.firstRow(), dtable.rows, dtable.first - before,
               dtable.end - before},
              /*adds=*/true);
}

void cpu::shiftLabels(Execution &, const tert_tensor &ids,
                      const tert_tensor &labels, int64_t ignoreIndex) {
  // A few thousand integers take less time than waking a thread.
  const int64_t rows = sizeOf(ids, 0), cols = sizeOf(ids, 1);
  for (int64_t i = 0; i < rows && cols > 0; ++i) {
    Integers from(ids, i), to(labels, i);
    for (int64_t j = 0; j + 1 < cols; ++j)
      to.set(j, from[j + 1]);
    to.set(cols - 1, ignoreIndex);
  }
}

#endif // HWY_ONCE
