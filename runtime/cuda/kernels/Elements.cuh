// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TERT_CUDA_KERNELS_ELEMENTS_CUH
#define TERT_CUDA_KERNELS_ELEMENTS_CUH

#include "cuda/kernels/Tile.cuh"

namespace tert::cuda {

/// Producer (Tile.cuh) for a matrix itself, with or without its sum over rows.
template <typename T, bool sums> struct Elements {
  static constexpr int numSums = sums;
  static constexpr int rowsInFlight = sizeof(T) == 2 ? 8 : 4;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 6;
  using Raw = Raw8<T>;

  View<T> x;
  bool aligned;

  explicit Elements(const tert_tensor &tensor)
      : x(viewOf<T>(tensor)), aligned(x.aligned) {}

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.load(x.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t, int,
                          float (&v)[8], float (&terms)[1][8]) const {
    raw.get(v);
    if constexpr (sums) {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        terms[0][k] = v[k];
    }
  }
};

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ELEMENTS_CUH
