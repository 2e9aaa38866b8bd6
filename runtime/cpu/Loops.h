// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits loops over tensors into matrices, for any rank, and into tasks, for
// any number of threads.
#ifndef TERT_CPU_LOOPS_H
#define TERT_CPU_LOOPS_H

#include "cpu/Matrix.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace tert::cpu {

inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Bands of rows, one per task, of about `elementsPerTask` elements.
struct RowTasks {
  RowTasks(int64_t rows, int64_t cols, int64_t elementsPerTask = 1 << 14)
      : rows(rows), rowsPerTask(std::max<int64_t>(
                        1, elementsPerTask / std::max<int64_t>(1, cols))),
        count(ceilDiv(rows, rowsPerTask)) {}

  int64_t first(int64_t task) const { return task * rowsPerTask; }
  int64_t size(int64_t task) const {
    return std::min(rowsPerTask, rows - first(task));
  }

  int64_t rows;
  int64_t rowsPerTask;
  int64_t count;
};

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
  /// Requires an inner stride of 1.
  Matrix asMatrix() const { return Matrix(data, dtype, rows, cols, rowStride); }

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

  /// Calls fn with one Plane per tensor until all elements are covered.
  template <typename Fn> void forEachPlane(const Fn &fn) const {
    if (empty)
      return;
    if (rank <= 1) {
      // Rows of a fixed length, so that a long vector makes several tasks.
      constexpr int64_t rowLength = 4096;
      int64_t total = rank == 0 ? 1 : sizes[0];
      int64_t whole = total / rowLength * rowLength;
      auto planesAt = [&](int64_t first, int64_t rows, int64_t cols) {
        call(fn, [&](const Strided &tensor) {
          int64_t stride = rank == 0 ? 1 : tensor.strides[0];
          return Plane{element(tensor, first * stride),
                       tensor.dtype,
                       rows,
                       cols,
                       rowLength * stride,
                       stride};
        });
      };
      if (whole > 0)
        planesAt(0, whole / rowLength, rowLength);
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

  /// Like forEachPlane, with one Matrix per tensor: requires innermost strides
  /// of 1.
  template <typename Fn> void forEachMatrix(const Fn &fn) const {
    forEachPlane([&](const auto &...planes) { fn(planes.asMatrix()...); });
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

/// Calls fn(Matrix...) for matrices that together make up the tensors, which
/// have the same shape and innermost stride 1.
template <typename Fn, typename... Tensors>
void forEachMatrix(const Fn &fn, const tert_tensor &first,
                   const Tensors &...rest) {
  LoopNest<1 + sizeof...(rest)>(*first.layout,
                                {Strided(first), Strided(rest)...})
      .forEachMatrix(fn);
}

} // namespace tert::cpu

#endif // TERT_CPU_LOOPS_H
