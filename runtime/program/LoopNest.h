// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits loops over tensors of any rank into loops over planes.
#ifndef TERT_PROGRAM_LOOPNEST_H
#define TERT_PROGRAM_LOOPNEST_H

#include "program/Tensor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace tert {

/// One tensor of a loop nest over `sizes`, which may be broadcast.
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

/// [rows, cols] with any strides.
struct Plane {
  void *data;
  tert_dtype dtype;
  int64_t rows, cols, rowStride, colStride;
};

/// A loop nest over `numTensors` tensors, with dimensions merged where all of
/// them allow it.
template <size_t numTensors> class LoopNest {
public:
  LoopNest(const tert_layout &shape, std::array<Strided, numTensors> operands)
      : tensors(operands) {
    for (int32_t dim = 0; dim < shape.rank; ++dim) {
      int64_t size = shape.sizes[dim];
      empty |= size == 0;
      bool innermost = dim + 1 == shape.rank;
      if (size == 1 && !innermost)
        continue;
      // The stride of a dimension of size 1 may have any value.
      if (size == 1)
        for (Strided &tensor : tensors)
          tensor.strides[dim] = 1;
      if (rank > 0 && mergesWith(dim, size)) {
        sizes[rank - 1] *= size;
      } else {
        sizes[rank++] = size;
      }
      for (Strided &tensor : tensors)
        tensor.strides[rank - 1] = tensor.strides[dim];
    }
  }

  /// The dimensions that are left after merging, outermost first; 0 of them for
  /// a scalar, and for tensors without elements.
  int32_t getRank() const { return empty ? 0 : rank; }
  int64_t getSize(int32_t dim) const { return sizes[dim]; }
  /// The stride of tensor `i` in such a dimension, in elements.
  int64_t getStride(size_t i, int32_t dim) const {
    return tensors[i].strides[dim];
  }

  /// Calls fn with one Plane per tensor until all elements are covered. A
  /// vector is rows of `vectorRow` elements, and one of the rest.
  template <typename Fn>
  void forEachPlane(const Fn &fn, int64_t vectorRow = INT64_MAX) const {
    if (empty)
      return;
    if (rank <= 1) {
      int64_t total = rank == 0 ? 1 : sizes[0];
      int64_t whole = total / vectorRow * vectorRow;
      auto planesAt = [&](int64_t first, int64_t rows, int64_t cols) {
        call(fn, [&](const Strided &tensor) {
          int64_t stride = rank == 0 ? 1 : tensor.strides[0];
          return Plane{
              element(tensor, first * stride),   tensor.dtype, rows, cols,
              rows > 1 ? vectorRow * stride : 0, stride};
        });
      };
      if (whole > 0)
        planesAt(0, whole / vectorRow, vectorRow);
      if (total > whole)
        planesAt(whole, 1, total - whole);
      return;
    }
    std::array<int64_t, TERT_MAX_RANK> index = {};
    int32_t dim;
    do {
      call(fn, [&](const Strided &tensor) {
        int64_t offset = 0;
        for (int32_t outer = 0; outer < rank - 2; ++outer)
          offset += index[outer] * tensor.strides[outer];
        return Plane{element(tensor, offset),  tensor.dtype,
                     sizes[rank - 2],          sizes[rank - 1],
                     tensor.strides[rank - 2], tensor.strides[rank - 1]};
      });
      for (dim = rank - 3; dim >= 0; --dim) {
        if (++index[dim] < sizes[dim])
          break;
        index[dim] = 0;
      }
    } while (dim >= 0);
  }

private:
  bool mergesWith(int32_t dim, int64_t size) const {
    for (const Strided &tensor : tensors)
      if (tensor.strides[rank - 1] != tensor.strides[dim] * size)
        return false;
    return true;
  }

  static void *element(const Strided &tensor, int64_t offset) {
    return static_cast<char *>(tensor.data) + offset * bytesOf(tensor.dtype);
  }

  template <typename Fn, typename PlaneOf>
  void call(const Fn &fn, const PlaneOf &planeOf) const {
    std::apply([&](const auto &...each) { fn(planeOf(each)...); }, tensors);
  }

  std::array<Strided, numTensors> tensors;
  int64_t sizes[TERT_MAX_RANK] = {};
  int32_t rank = 0;
  bool empty = false;
};

} // namespace tert

#endif // TERT_PROGRAM_LOOPNEST_H
