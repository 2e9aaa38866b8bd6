// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The amax of a row of a tile, and what the row adds to those of its columns.

#ifndef TERT_CUDA_KERNELS_ROWAMAX_CUH
#define TERT_CUDA_KERNELS_ROWAMAX_CUH

#include "cuda/kernels/Tile.cuh"

namespace tert::cuda {

/// Amax of the tileCols elements that a half-warp has of a row, as bits
/// (magnitudeBits), on all of its lanes; `raw` are this lane's. Raises those of
/// the lane's columns, and with `sums` adds to their totals. For all lanes of a
/// warp at a time.
template <bool sums, typename T>
__device__ uint32_t measureRow(const Raw8<T> &raw, uint32_t (&ofColumns)[8],
                               float (&totals)[8]) {
  float v[8];
  raw.get(v);
  uint32_t largest = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const uint32_t bits = magnitudeBits(v[k]);
    ofColumns[k] = max(ofColumns[k], bits);
    largest = max(largest, bits);
    if (sums)
      totals[k] += v[k];
  }
#pragma unroll
  for (int distance = groupsPerRow / 2; distance > 0; distance /= 2)
    largest = max(largest, __shfl_xor_sync(wholeWarp, largest, distance));
  return largest;
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ROWAMAX_CUH
