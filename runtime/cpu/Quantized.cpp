// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Quantized.h"

#include <cstring>

using namespace tert;
using namespace tert::cpu;

QuantizedOutputs::QuantizedOutputs(int64_t rows, int64_t cols,
                                   const tert_quantized &quantized)
    : rows(rows), cols(cols),
      amax(quantized.amax ? &scalarOf(*quantized.amax) : nullptr) {
  if (quantized.rowwise.data)
    rowwise.emplace(*quantized.rowwise.data);
  if (quantized.columnwise.data)
    columnwise.emplace(*quantized.columnwise.data);
  if (hasCopies()) {
    format = rowwise ? rowwise->dtype : columnwise->dtype;
    const Matrix &copy = rowwise ? *rowwise : *columnwise;
    scales = Scales(*quantized.scale, copy.rows, copy.cols);
  }
}

/// Zeros the elements of `matrix` beyond [rows, cols].
static void zeroPadding(const Matrix &matrix, int64_t rows, int64_t cols) {
  if (matrix.cols > cols)
    for (int64_t row = 0; row < rows; ++row)
      std::memset(matrix.row<uint8_t>(row) + cols, 0, matrix.cols - cols);
  for (int64_t row = rows; row < matrix.rows; ++row)
    std::memset(matrix.row<uint8_t>(row), 0, matrix.cols);
}

void QuantizedOutputs::finish() {
  if (rowwise)
    zeroPadding(*rowwise, rows, cols);
  if (columnwise)
    zeroPadding(*columnwise, cols, rows);
  if (amax)
    std::memcpy(amax, &amaxBits, sizeof(amaxBits));
}
