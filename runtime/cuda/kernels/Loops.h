// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits loops over tensors of any rank into matrices. Nearly every one is one
// matrix, and so one launch.
#ifndef TERT_CUDA_KERNELS_LOOPS_H
#define TERT_CUDA_KERNELS_LOOPS_H

#include "cuda/Launch.h"
#include "program/LoopNest.h"

#include <algorithm>
#include <array>

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

/// Calls fn(Matrix...) for matrices that together make up the tensors,
/// broadcast to `shape`.
template <typename Fn, size_t n>
void forEachMatrixOf(const Fn &fn, const tert_layout &shape,
                     const std::array<Strided, n> &tensors) {
  auto asMatrix = [](const Plane &plane) {
    return Matrix{plane.data, plane.dtype,     plane.rows,
                  plane.cols, plane.rowStride, plane.colStride};
  };
  LoopNest<n>(shape, tensors).forEachPlane([&](const auto &...planes) {
    fn(asMatrix(planes)...);
  });
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
