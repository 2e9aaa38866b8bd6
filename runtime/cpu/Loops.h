// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits loops over tensors of any rank into matrices, and these into tasks.
#ifndef TERT_CPU_LOOPS_H
#define TERT_CPU_LOOPS_H

#include "cpu/Matrix.h"
#include "program/LoopNest.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

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

/// The matrix that a plane with an inner stride of 1 is.
inline Matrix asMatrix(const Plane &plane) {
  return Matrix(plane.data, plane.dtype, plane.rows, plane.cols,
                plane.rowStride);
}

/// Elements of a row of a vector, so that a long one makes several tasks.
constexpr int64_t vectorRow = 4096;

/// Calls fn(Plane...) for planes that together make up the tensors, which have
/// the same shape.
template <typename Fn, typename... Tensors>
void forEachPlane(const Fn &fn, const tert_tensor &first,
                  const Tensors &...rest) {
  LoopNest<1 + sizeof...(rest)>(*first.layout,
                                {Strided(first), Strided(rest)...})
      .forEachPlane(fn, vectorRow);
}

/// Calls fn(Matrix...) for matrices that together make up the tensors,
/// broadcast to `shape`: requires innermost strides of 1.
template <typename Fn, size_t n>
void forEachMatrixOf(const Fn &fn, const tert_layout &shape,
                     const std::array<Strided, n> &tensors) {
  LoopNest<n>(shape, tensors)
      .forEachPlane([&](const auto &...planes) { fn(asMatrix(planes)...); },
                    vectorRow);
}

/// Like forEachPlane, with matrices: requires innermost strides of 1.
template <typename Fn, typename... Tensors>
void forEachMatrix(const Fn &fn, const tert_tensor &first,
                   const Tensors &...rest) {
  forEachMatrixOf(fn, *first.layout,
                  std::array<Strided, 1 + sizeof...(rest)>{Strided(first),
                                                           Strided(rest)...});
}

} // namespace tert::cpu

#endif // TERT_CPU_LOOPS_H
