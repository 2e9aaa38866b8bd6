// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank-2 tensors in CPU kernels.
#ifndef TERT_CPU_MATRIX_H
#define TERT_CPU_MATRIX_H

#include "program/Tensor.h"

#include <cstdint>
#include <cstring>
#include <optional>

namespace tert::cpu {

/// Storage of a bfloat16.
struct Bf16 {
  uint16_t bits;
};

inline float toF32(Bf16 value) {
  uint32_t bits = uint32_t(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

/// Rounds to nearest even; NaN stays NaN.
inline Bf16 toBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (value != value)
    return {static_cast<uint16_t>(bits >> 16 | 0x40)};
  return {static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

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

  /// Address of element (row, col); the dtype determines its type.
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

/// The matrix of an optional argument.
inline std::optional<Matrix> optionalMatrix(const tert_tensor *tensor) {
  return tensor ? std::optional<Matrix>(*tensor) : std::nullopt;
}

/// Value of a scalar tensor in host memory.
template <typename T = float> T &scalarOf(const tert_tensor &tensor) {
  return *static_cast<T *>(tensor.data);
}

} // namespace tert::cpu

#endif // TERT_CPU_MATRIX_H
