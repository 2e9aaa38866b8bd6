// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/RowSums.h"

#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Elementwise.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

template <typename A, typename B, typename Y>
HWY_INLINE void addRow(const A *a, const B *b, Y *y, int64_t n) {
  forVectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    storeF32(hn::Add(loadF32(a + i, count), loadF32(b + i, count)), y + i,
             count);
  });
}

/// y = a + b for rows [first, first + count).
void addRows(const Matrix &a, const Matrix &b, const Matrix &y, int64_t first,
             int64_t count) {
  for (int64_t i = first; i < first + count; ++i)
    withFloat(a.dtype, a.address(i, 0), [&](auto *from) HWY_ATTR {
      withFloat(b.dtype, b.address(i, 0), [&](auto *other) HWY_ATTR {
        withFloat(y.dtype, y.address(i, 0),
                  [&](auto *to) HWY_ATTR { addRow(from, other, to, y.cols); });
      });
    });
}

/// Conversion between float types for rows [first, first + count).
void convertRows(const Matrix &x, const Matrix &y, int64_t first,
                 int64_t count) {
  for (int64_t i = first; i < first + count; ++i)
    withFloat(x.dtype, x.address(i), [&](auto *from) HWY_ATTR {
      withFloat(y.dtype, y.address(i), [&](auto *to) HWY_ATTR {
        forVectors(y.cols, [&](int64_t j, int64_t n) HWY_ATTR {
          storeF32(loadF32(from + j, n), to + j, n);
        });
      });
    });
}

/// sums[0, x.cols) = sum of rows [first, first + count) of x.
void sumColumns(const Matrix &x, int64_t first, int64_t count, float *sums) {
  // Sums stay in registers across the rows.
  withFloat(x.dtype, x.address(first), [&](auto *from) HWY_ATTR {
    int64_t lanes = lanesF32(), j = 0;
    for (; j + 4 * lanes <= x.cols; j += 4 * lanes) {
      VecF32 s0 = hn::Zero(F32()), s1 = s0, s2 = s0, s3 = s0;
      for (int64_t i = 0; i < count; ++i) {
        auto *row = from + i * x.stride + j;
        s0 = hn::Add(s0, loadF32(row));
        s1 = hn::Add(s1, loadF32(row + lanes));
        s2 = hn::Add(s2, loadF32(row + 2 * lanes));
        s3 = hn::Add(s3, loadF32(row + 3 * lanes));
      }
      storeF32(s0, sums + j);
      storeF32(s1, sums + j + lanes);
      storeF32(s2, sums + j + 2 * lanes);
      storeF32(s3, sums + j + 3 * lanes);
    }
    forVectors(x.cols - j, [&](int64_t k, int64_t n) HWY_ATTR {
      VecF32 sum = hn::Zero(F32());
      for (int64_t i = 0; i < count; ++i)
        sum = hn::Add(sum, loadF32(from + i * x.stride + j + k, n));
      storeF32(sum, sums + j + k, n);
    });
  });
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(addRows);
HWY_EXPORT(convertRows);
HWY_EXPORT(sumColumns);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Copies rows that are contiguous on both sides.
static void copyRows(const Matrix &x, const Matrix &y, int64_t first,
                     int64_t count) {
  for (int64_t i = first; i < first + count; ++i)
    std::memcpy(y.address(i), x.address(i), y.cols * bytesOf(y.dtype));
}

/// Calls fn with a value of the type that stores `dtype`.
template <typename Fn> static void withStorage(tert_dtype dtype, const Fn &fn) {
  switch (dtype) {
  case TERT_F32:
    return fn(float());
  case TERT_BF16:
    return fn(Bf16());
  case TERT_I32:
    return fn(int32_t());
  case TERT_I64:
    return fn(int64_t());
  case TERT_F8E4M3:
  case TERT_F8E5M2:
  case TERT_U8:
  case TERT_F8E8M0:
    return fn(uint8_t());
  }
}

/// Converts one element to the other side's type: the same type, or the other
/// float type.
template <typename T> static void convertElement(T x, T &y) { y = x; }
static void convertElement(Bf16 x, float &y) { y = toF32(x); }
static void convertElement(float x, Bf16 &y) { y = toBf16(x); }

/// Copies rows [first, first + count) element by element.
template <typename X, typename Y>
static void copyElements(const Plane &x, const Plane &y, int64_t first,
                         int64_t count) {
  // Blocks, so that a transposition uses a cache line while it is cached.
  constexpr int64_t block = 16;
  const X *from = static_cast<const X *>(x.data);
  Y *to = static_cast<Y *>(y.data);
  for (int64_t i0 = first; i0 < first + count; i0 += block)
    for (int64_t j0 = 0; j0 < x.cols; j0 += block)
      for (int64_t i = i0, ie = std::min(i0 + block, first + count); i < ie;
           ++i)
        for (int64_t j = j0, je = std::min(j0 + block, x.cols); j < je; ++j)
          convertElement(from[i * x.rowStride + j * x.colStride],
                         to[i * y.rowStride + j * y.colStride]);
}

static void copyStrided(const Plane &x, const Plane &y, int64_t first,
                        int64_t count) {
  if (x.dtype == TERT_BF16 && y.dtype == TERT_F32)
    return copyElements<Bf16, float>(x, y, first, count);
  if (x.dtype == TERT_F32 && y.dtype == TERT_BF16)
    return copyElements<float, Bf16>(x, y, first, count);
  withStorage(x.dtype, [&](auto element) {
    using T = decltype(element);
    copyElements<T, T>(x, y, first, count);
  });
}

/// `value` in its storage type; the op's check keeps integers in range.
template <typename T> static T convertValue(double value, T) {
  return static_cast<T>(value);
}
static Bf16 convertValue(double value, Bf16) {
  return toBf16(static_cast<float>(value));
}

static void fillPlane(const Plane &y, int64_t first, int64_t count,
                      double value) {
  withStorage(y.dtype, [&](auto element) {
    using T = decltype(element);
    T stored = convertValue(value, T());
    for (int64_t i = first; i < first + count; ++i) {
      T *row = static_cast<T *>(y.data) + i * y.rowStride;
      if (y.colStride == 1)
        std::fill(row, row + y.cols, stored);
      else
        for (int64_t j = 0; j < y.cols; ++j)
          row[j * y.colStride] = stored;
    }
  });
}

void cpu::add(Execution &execution, const tert_tensor &a, const tert_tensor &b,
              const tert_tensor &y) {
  Scratch::Frame frame(execution.scratch);
  // b as a tensor of a's rank, broadcast along the dimensions it lacks.
  Strided repeated(b);
  int32_t missing = rankOf(a) - rankOf(b);
  for (int32_t dim = rankOf(a) - 1; dim >= 0; --dim)
    repeated.strides[dim] = dim >= missing ? strideOf(b, dim - missing) : 0;
  if (rankOf(b) == 0 && rankOf(a) > 0) {
    // Rows need a dimension to iterate over.
    int64_t cols = sizeOf(a, rankOf(a) - 1);
    char *row = frame.take<char>(cols * bytesOf(repeated.dtype));
    for (int64_t i = 0; i < cols; ++i)
      std::memcpy(row + i * bytesOf(repeated.dtype), b.data,
                  bytesOf(repeated.dtype));
    repeated.data = row;
    repeated.strides[rankOf(a) - 1] = 1;
  }
  auto rows = HWY_DYNAMIC_DISPATCH(addRows);
  forEachMatrixOf(
      [&](const Matrix &left, const Matrix &right, const Matrix &result) {
        RowTasks tasks(left.rows, left.cols);
        execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
          rows(left, right, result, tasks.first(task), tasks.size(task));
        });
      },
      *a.layout, std::array<Strided, 3>{Strided(a), repeated, Strided(y)});
}

void cpu::columnSum(Execution &execution, const tert_tensor &xTensor,
                    const tert_tensor &y) {
  Matrix x(xTensor);
  // Sums bands of rows first: work for the threads, and shorter f32 sums.
  RowTasks bands(x.rows, /*cols=*/1, /*elementsPerTask=*/64);
  Scratch::Frame frame(execution.scratch);
  float *sums = frame.take<float>(bands.count * x.cols);
  auto sumBand = HWY_DYNAMIC_DISPATCH(sumColumns);
  execution.pool.parallelFor(bands.count, [&](int64_t task, int) {
    sumBand(x, bands.first(task), bands.size(task), sums + task * x.cols);
  });
  sumRows(execution, sums, bands.count, Matrix(y));
}

static void copyPlane(const Plane &from, const Plane &to, int64_t first,
                      int64_t count) {
  auto convert = HWY_DYNAMIC_DISPATCH(convertRows);
  if (from.colStride != 1 || to.colStride != 1)
    copyStrided(from, to, first, count);
  else if (from.dtype != to.dtype)
    convert(asMatrix(from), asMatrix(to), first, count);
  else
    copyRows(asMatrix(from), asMatrix(to), first, count);
}

void cpu::copy(Execution &execution, const tert_tensor &x,
               const tert_tensor &y) {
  forEachPlane(
      [&](const Plane &from, const Plane &to) {
        RowTasks tasks(from.rows, from.cols);
        execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
          copyPlane(from, to, tasks.first(task), tasks.size(task));
        });
      },
      x, y);
}

/// Runs the tasks of several tensors side by side: waking the threads costs
/// more than a small task.
template <typename Task, typename Fn>
static void runAll(Execution &execution, const std::vector<Task> &tasks,
                   const Fn &fn) {
  execution.pool.parallelFor(int64_t(tasks.size()),
                             [&](int64_t i, int) { fn(tasks[i]); });
}

void cpu::multiCopy(Execution &execution, int32_t n, const tert_tensor *x,
                    int32_t, const tert_tensor *y) {
  struct Piece {
    Plane from, to;
    int64_t first, count;
  };
  std::vector<Piece> pieces;
  for (int32_t i = 0; i < n; ++i)
    forEachPlane(
        [&](const Plane &from, const Plane &to) {
          RowTasks tasks(from.rows, from.cols);
          for (int64_t task = 0; task < tasks.count; ++task)
            pieces.push_back({from, to, tasks.first(task), tasks.size(task)});
        },
        x[i], y[i]);
  runAll(execution, pieces, [](const Piece &piece) {
    copyPlane(piece.from, piece.to, piece.first, piece.count);
  });
}

void cpu::multiFill(Execution &execution, int32_t n, const tert_tensor *y,
                    double value) {
  struct Piece {
    Plane to;
    int64_t first, count;
  };
  std::vector<Piece> pieces;
  for (int32_t i = 0; i < n; ++i)
    forEachPlane(
        [&](const Plane &to) {
          RowTasks tasks(to.rows, to.cols);
          for (int64_t task = 0; task < tasks.count; ++task)
            pieces.push_back({to, tasks.first(task), tasks.size(task)});
        },
        y[i]);
  runAll(execution, pieces, [value](const Piece &piece) {
    fillPlane(piece.to, piece.first, piece.count, value);
  });
}

void cpu::fill(Execution &execution, const tert_tensor &y, double value) {
  multiFill(execution, 1, &y, value);
}

#endif // HWY_ONCE
