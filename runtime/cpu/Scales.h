// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scales of an FP8 matrix: one, or one for each block (tert_scaled).
#ifndef TERT_CPU_SCALES_H
#define TERT_CPU_SCALES_H

#include "cpu/Matrix.h"

#include <algorithm>

namespace tert::cpu {

class Scales {
public:
  /// One scale.
  explicit Scales(float one = 1.0f) : one(one) {}
  /// The scales of a matrix [rows, cols].
  Scales(const tert_tensor &scale, int64_t rows, int64_t cols) {
    if (rankOf(scale) == 0) {
      one = scalarOf(scale);
      return;
    }
    scales = static_cast<const float *>(scale.data);
    rowStride = strideOf(scale, 0);
    colStride = strideOf(scale, 1);
    blockRows = tert_scale_block(rows, sizeOf(scale, 0));
    blockCols = tert_scale_block(cols, sizeOf(scale, 1));
  }

  bool isOne() const { return !scales; }
  /// That of element (row, col).
  float at(int64_t row, int64_t col) const {
    return scales ? scales[row / blockRows * rowStride +
                           col / blockCols * colStride]
                  : one;
  }
  /// Those of n elements of a row from (row, col) on, or of a column if `down`.
  void read(int64_t row, int64_t col, int64_t n, bool down, float *to) const {
    const int64_t block = down ? blockRows : blockCols;
    const int64_t step = down ? rowStride : colStride;
    const float *scale =
        scales + row / blockRows * rowStride + col / blockCols * colStride;
    int64_t end = block - (down ? row : col) % block;
    for (int64_t j = 0; j < n; end += block, scale += step)
      for (; j < std::min(n, end); ++j)
        to[j] = *scale;
  }
  /// How many neighbours in a row of `cols` elements share a scale.
  int64_t colsOfBlock(int64_t cols) const { return scales ? blockCols : cols; }

private:
  float one = 1.0f;
  const float *scales = nullptr;
  int64_t rowStride = 0, colStride = 0, blockRows = 1, blockCols = 1;
};

} // namespace tert::cpu

#endif // TERT_CPU_SCALES_H
