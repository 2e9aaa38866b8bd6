// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How CPU kernels see rank-2 tensors.
#ifndef TERT_CPU_MATRIX_H
#define TERT_CPU_MATRIX_H

#include "program/Tensor.h"

#include <cstdint>

namespace tert::cpu {

/// Storage of a bfloat16.
struct Bf16 {
  uint16_t bits;
};

/// [rows, cols] with innermost stride 1.
struct Matrix {
  Matrix(void *data, tert_dtype dtype, int64_t rows, int64_t cols,
         int64_t stride)
      : data(data), dtype(dtype), rows(rows), cols(cols), stride(stride) {}
  /// A tensor of rank 2, or of rank 1 (one row).
  explicit Matrix(const tert_tensor &tensor)
      : data(tensor.data), dtype(dtypeOf(tensor)),
        rows(rankOf(tensor) == 2 ? sizeOf(tensor, 0) : 1),
        cols(sizeOf(tensor, rankOf(tensor) - 1)),
        stride(rankOf(tensor) == 2 ? strideOf(tensor, 0) : cols) {}

  /// Address of element (row, col), in bytes: the dtype decides what is there.
  void *address(int64_t row, int64_t col = 0) const {
    return static_cast<char *>(data) + (row * stride + col) * bytesOf(dtype);
  }
  template <typename T> T *row(int64_t index) const {
    return static_cast<T *>(data) + index * stride;
  }

  void *data;
  tert_dtype dtype;
  int64_t rows, cols, stride;
};

/// Value of a scalar tensor of the host.
template <typename T = float> T &scalarOf(const tert_tensor &tensor) {
  return *static_cast<T *>(tensor.data);
}

} // namespace tert::cpu

#endif // TERT_CPU_MATRIX_H
