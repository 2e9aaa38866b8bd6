// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits loops over tensors of any rank into matrices: dimensions are merged
// where all tensors of the loop allow it, so that nearly every call is one
// launch.
#ifndef TERT_CUDA_KERNELS_LOOPS_H
#define TERT_CUDA_KERNELS_LOOPS_H

#include "cuda/Launch.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace tert::cuda {

/// [rows, cols] with any strides.
struct Matrix {
  bool isAlignedTo(int64_t bytes) const {
    int64_t pitch = rows > 1 ? stride * bytesOf(dtype) : 0;
    return reinterpret_cast<uintptr_t>(data) % bytes == 0 && pitch % bytes == 0;
  }

  void *data;
  tert_dtype dtype;
  int64_t rows, cols, stride, colStride;
};

/// One tensor of a loop nest over sizes, which may be broadcast.
struct Strided {
  explicit Strided(const tert_tensor &tensor)
      : data(tensor.data), dtype(dtypeOf(tensor)), strides() {
    for (int32_t dim = 0; dim < rankOf(tensor); ++dim)
      strides[dim] = strideOf(tensor, dim);
  }

  void *data;
  tert_dtype dtype;
  int64_t strides[TERT_MAX_RANK];
};

/// Calls fn(Matrix...) for matrices that together make up the tensors,
/// broadcast to `shape`.
template <typename Fn, size_t n>
void forEachMatrixOf(const Fn &fn, const tert_layout &shape,
                     std::array<Strided, n> tensors) {
  int64_t sizes[TERT_MAX_RANK + 2];
  int64_t strides[n][TERT_MAX_RANK + 2];
  int32_t rank = 0;
  for (int32_t dim = 0; dim < shape.rank; ++dim) {
    const int64_t size = shape.sizes[dim];
    if (size == 0)
      return;
    const bool isInnermost = dim + 1 == shape.rank;
    if (size == 1 && !isInnermost)
      continue;
    // The stride of a dimension of size 1 may have any value.
    if (size == 1)
      for (Strided &tensor : tensors)
        tensor.strides[dim] = 1;
    bool merges = rank > 0;
    for (size_t t = 0; merges && t < n; ++t)
      merges = strides[t][rank - 1] == tensors[t].strides[dim] * size;
    if (merges)
      sizes[rank - 1] *= size;
    else
      sizes[rank++] = size;
    for (size_t t = 0; t < n; ++t)
      strides[t][rank - 1] = tensors[t].strides[dim];
  }
  // Pads to two dimensions, rows and columns, with size 1.
  for (; rank < 2; ++rank) {
    for (int32_t dim = rank; dim > 0; --dim) {
      sizes[dim] = sizes[dim - 1];
      for (size_t t = 0; t < n; ++t)
        strides[t][dim] = strides[t][dim - 1];
    }
    sizes[0] = 1;
    for (size_t t = 0; t < n; ++t)
      strides[t][0] = rank == 0 ? 1 : 0;
  }
  int64_t index[TERT_MAX_RANK + 2] = {};
  int32_t dim;
  do {
    auto matrixOf = [&](size_t t) {
      int64_t offset = 0;
      for (int32_t outer = 0; outer < rank - 2; ++outer)
        offset += index[outer] * strides[t][outer];
      return Matrix{static_cast<char *>(tensors[t].data) +
                        offset * bytesOf(tensors[t].dtype),
                    tensors[t].dtype,
                    sizes[rank - 2],
                    sizes[rank - 1],
                    strides[t][rank - 2],
                    strides[t][rank - 1]};
    };
    if constexpr (n == 1)
      fn(matrixOf(0));
    else if constexpr (n == 2)
      fn(matrixOf(0), matrixOf(1));
    else
      fn(matrixOf(0), matrixOf(1), matrixOf(2));
    for (dim = rank - 3; dim >= 0; --dim) {
      if (++index[dim] < sizes[dim])
        break;
      index[dim] = 0;
    }
  } while (dim >= 0);
}

/// Like forEachMatrixOf, over the shape of the first tensor.
template <typename Fn, typename... Tensors>
void forEachMatrix(const Fn &fn, const tert_tensor &first,
                   const Tensors &...rest) {
  forEachMatrixOf(fn, *first.layout,
                  std::array<Strided, 1 + sizeof...(rest)>{Strided(first),
                                                           Strided(rest)...});
}

/// Number of blocks for a grid-stride loop over `items`.
inline unsigned launchBlocks(const LaunchContext &launch, int64_t items,
                             int threads) {
  return unsigned(std::clamp<int64_t>((items + threads - 1) / threads, 1,
                                      16 * launch.device.multiprocessors));
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_LOOPS_H
