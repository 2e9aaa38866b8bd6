// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Token ids and labels: i64 or i32 with innermost stride 1.
#ifndef TERT_CUDA_KERNELS_INTEGERS_H
#define TERT_CUDA_KERNELS_INTEGERS_H

#include "program/Tensor.h"

#include <cuda_runtime.h>

namespace tert::cuda {

struct Integers {
  void *data;
  bool wide;
  int64_t stride; ///< between rows

  explicit Integers(const tert_tensor &tensor)
      : data(tensor.data), wide(dtypeOf(tensor) == TERT_I64),
        stride(rankOf(tensor) == 2 ? strideOf(tensor, 0) : 0) {}

  __device__ int64_t operator[](int64_t i) const {
    return wide ? static_cast<const int64_t *>(data)[i]
                : static_cast<const int32_t *>(data)[i];
  }
  __device__ void set(int64_t i, int64_t value) const {
    if (wide)
      static_cast<int64_t *>(data)[i] = value;
    else
      static_cast<int32_t *>(data)[i] = int32_t(value);
  }
};

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_INTEGERS_H
