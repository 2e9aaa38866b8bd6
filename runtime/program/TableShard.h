// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's shard of an f32 table: consecutive elements.
#ifndef TERT_PROGRAM_TABLESHARD_H
#define TERT_PROGRAM_TABLESHARD_H

#include <algorithm>
#include <cstdint>

namespace tert {

/// Elements [first, end) of a row-major table [rows, cols]; `data` is the
/// address of the first of them.
struct TableShard {
  float *data;
  int64_t rows, cols;
  int64_t first, end;

  bool empty() const { return first >= end; }
  /// First row with an element in the shard, and the number of such rows.
  int64_t firstRow() const { return cols == 0 ? 0 : first / cols; }
  int64_t numRows() const {
    return cols == 0 ? 0 : (end + cols - 1) / cols - firstRow();
  }
  /// Address of the first row's beginning, which may precede the shard.
  float *firstRowData() const { return data - (first - firstRow() * cols); }
};

} // namespace tert

#endif // TERT_PROGRAM_TABLESHARD_H
