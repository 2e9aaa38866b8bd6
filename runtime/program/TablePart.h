// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of an f32 table, one behind another, that a rank has of it.
#ifndef TERT_PROGRAM_TABLEPART_H
#define TERT_PROGRAM_TABLEPART_H

#include <algorithm>
#include <cstdint>

namespace tert {

/// Elements [first, end) of a row-major table [rows, cols]; `data` is where the
/// first of them lies.
struct TablePart {
  float *data;
  int64_t rows, cols;
  int64_t first, end;

  bool empty() const { return first >= end; }
  /// The rows that have any of them.
  int64_t firstRow() const { return cols == 0 ? 0 : first / cols; }
  int64_t numRows() const {
    return cols == 0 ? 0 : (end + cols - 1) / cols - firstRow();
  }
  /// Where the first row begins, or would.
  float *firstRowData() const { return data - (first - firstRow() * cols); }
};

} // namespace tert

#endif // TERT_PROGRAM_TABLEPART_H
