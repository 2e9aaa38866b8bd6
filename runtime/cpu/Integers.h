// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Token ids and labels in CPU kernels: i64 or i32 with innermost stride 1.
#ifndef TERT_CPU_INTEGERS_H
#define TERT_CPU_INTEGERS_H

#include "program/Tensor.h"

#include <cstdint>

namespace tert::cpu {

/// A row of integers of either width.
class Integers {
public:
  /// Row `row` of a matrix, or a vector.
  explicit Integers(const tert_tensor &tensor, int64_t row = 0)
      : wide(dtypeOf(tensor) == TERT_I64) {
    int64_t offset = rankOf(tensor) == 2 ? row * strideOf(tensor, 0) : 0;
    data = static_cast<char *>(tensor.data) +
           offset * bytesOf(tensor.layout->dtype);
  }

  int64_t operator[](int64_t i) const {
    return wide ? static_cast<const int64_t *>(data)[i]
                : static_cast<const int32_t *>(data)[i];
  }
  void set(int64_t i, int64_t value) const {
    if (wide)
      static_cast<int64_t *>(data)[i] = value;
    else
      static_cast<int32_t *>(data)[i] = static_cast<int32_t>(value);
  }

private:
  void *data;
  bool wide;
};

} // namespace tert::cpu

#endif // TERT_CPU_INTEGERS_H
