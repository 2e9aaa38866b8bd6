// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scales of an FP8 matrix: one, or one for each block (tert_scaled).
#ifndef TERT_CPU_SCALES_H
#define TERT_CPU_SCALES_H

#include "cpu/Matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tert::cpu {

/// The value of an E8M0 code.
inline float decodeE8M0(uint8_t code) {
  return code == 0xff ? std::numeric_limits<float>::quiet_NaN()
                      : std::ldexp(1.0f, code - 127);
}

class Scales {
public:
  /// One scale.
  explicit Scales(float one = 1.0f) : one(one) {}
  /// The scales of a matrix [rows, cols].
  Scales(const tert_tensor &scale, int64_t rows, int64_t cols)
      : isE8M0(dtypeOf(scale) == TERT_F8E8M0) {
    scales = scale.data;
    if (rankOf(scale) == 0) {
      one = load(0);
      scales = nullptr;
      return;
    }
    rowStride = strideOf(scale, 0);
    colStride = strideOf(scale, 1);
    blockRows = tert_scale_block(rows, sizeOf(scale, 0));
    blockCols = tert_scale_block(cols, sizeOf(scale, 1));
  }

  bool isOne() const { return !scales; }
  /// That of element (row, col).
  float at(int64_t row, int64_t col) const {
    return scales
               ? load(row / blockRows * rowStride + col / blockCols * colStride)
               : one;
  }
  /// Those of n elements of a row from (row, col) on, or of a column if `down`.
  void read(int64_t row, int64_t col, int64_t n, bool down, float *to) const {
    const int64_t block = down ? blockRows : blockCols;
    const int64_t step = down ? rowStride : colStride;
    int64_t place = row / blockRows * rowStride + col / blockCols * colStride;
    int64_t end = block - (down ? row : col) % block;
    for (int64_t j = 0; j < n; end += block, place += step) {
      const float scale = load(place);
      for (; j < std::min(n, end); ++j)
        to[j] = scale;
    }
  }
  /// How many neighbours in a row of `cols` elements share a scale.
  int64_t colsOfBlock(int64_t cols) const { return scales ? blockCols : cols; }

private:
  float load(int64_t place) const {
    return isE8M0 ? decodeE8M0(static_cast<const uint8_t *>(scales)[place])
                  : static_cast<const float *>(scales)[place];
  }

  float one = 1.0f;
  bool isE8M0 = false;
  const void *scales = nullptr;
  int64_t rowStride = 0, colStride = 0, blockRows = 1, blockCols = 1;
};

} // namespace tert::cpu

#endif // TERT_CPU_SCALES_H
