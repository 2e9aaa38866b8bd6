// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits pointwise ops that may quantize their f32 results into tasks.
#ifndef TERT_CPU_RESULTTASKS_H
#define TERT_CPU_RESULTTASKS_H

#include "cpu/Loops.h"
#include "cpu/Quantized.h"

#include <algorithm>

namespace tert::cpu {

// One task: as many rows as quantized tiles have, and few enough columns that a
// short and wide matrix occupies every thread and that the f32 results stay in
// the second-level cache until they are quantized. Rows are read in pieces long
// enough for the hardware to prefetch them.
constexpr int64_t taskRows = quantizeTileRows;
constexpr int64_t taskCols = 8 * quantizeTileCols;
// One cache line more than taskCols, so that rows do not share cache sets.
constexpr int64_t resultStride = taskCols + 16;
constexpr int64_t resultSize = taskRows * resultStride;

struct ResultTask {
  int64_t row, col, rows, cols;
};

/// Tasks of a matrix [rows, cols] in row-major order, each of at most `width`
/// columns.
struct ResultTasks {
  int64_t rows, cols;
  int64_t width = taskCols;

  int64_t rowCount() const { return ceilDiv(rows, taskRows); }
  int64_t colCount() const { return ceilDiv(cols, width); }
  int64_t count() const { return rowCount() * colCount(); }
  ResultTask operator[](int64_t task) const {
    int64_t row = task / colCount() * taskRows;
    int64_t col = task % colCount() * width;
    return {row, col, std::min(taskRows, rows - row),
            std::min(width, cols - col)};
  }
};

} // namespace tert::cpu

#endif // TERT_CPU_RESULTTASKS_H
