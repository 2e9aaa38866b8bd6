// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of experts: one product for each expert, of its rows. Rows that do
// not follow one another are copied together before, and back after.

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "program/Error.h"
#include "program/ExpertProduct.h"

#include <algorithm>
#include <numeric>

using namespace tert;
using namespace tert::cpu;

//===-- Grouping ----------------------------------------------------------===//

void cpu::groupRows(Execution &execution, const tert_tensor &experts,
                    const tert_tensor &source, const tert_tensor &slot,
                    const tert_tensor &groups, int64_t count, int64_t alignment,
                    int64_t ranks) {
  // A counting sort of some thousand integers takes less time than waking a
  // thread.
  const int64_t rows = sizeOf(experts, 0), places = sizeOf(source, 0);
  const auto *ids = static_cast<const int32_t *>(experts.data);
  auto *sources = static_cast<int32_t *>(source.data);
  auto *slots = static_cast<int32_t *>(slot.data);
  auto *owners = static_cast<int32_t *>(groups.data);
  Scratch::Frame frame(execution.scratch);
  int64_t *next = frame.take<int64_t>(count);
  std::fill_n(next, count, 0);
  for (int64_t row = 0; row < rows; ++row) {
    if (ids[row] < -1 || ids[row] >= count)
      throw Error(TERT_INVALID_DATA,
                  "expert " + std::to_string(ids[row]) + " of row " +
                      std::to_string(row) + " is outside of [0, " +
                      std::to_string(count) + "), and not -1 for none");
    if (ids[row] >= 0)
      ++next[ids[row]];
  }
  const int64_t expertsOfRank = count / ranks, placesOfRank = places / ranks;
  int64_t begin = 0;
  for (int64_t expert = 0; expert < count; ++expert) {
    if (expert % expertsOfRank == 0)
      begin = expert / expertsOfRank * placesOfRank;
    const int64_t size = next[expert];
    next[expert] = begin;
    begin += ceilDiv(size, alignment) * alignment;
  }
  std::fill_n(sources, places, -1);
  std::fill_n(owners, places, -1);
  for (int64_t row = 0; row < rows; ++row) {
    slots[row] = -1;
    if (ids[row] < 0)
      continue;
    const int64_t place = next[ids[row]]++;
    if (place >= (ids[row] / expertsOfRank + 1) * placesOfRank)
      continue; // no space left
    slots[row] = int32_t(place);
    sources[place] = int32_t(row);
    owners[place] = int32_t(ids[row] % expertsOfRank);
  }
}

//===-- Views -------------------------------------------------------------===//

namespace {

/// A tensor that is part of another one, or in scratch memory.
class View {
public:
  View(tert_dtype dtype, void *data, int64_t rows, int64_t cols, int64_t stride)
      : layout{dtype, 2, {rows, cols}, {stride, 1}}, data(data) {}
  /// Elements of `of` from (row, col) on.
  View(const tert_tensor &of, int64_t row, int64_t rows, int64_t col,
       int64_t cols)
      : View(dtypeOf(of), Matrix(of).address(row, col), rows, cols,
             Matrix(of).stride) {}
  /// The scale of an expert.
  View(const tert_tensor &scales, int64_t expert)
      : layout{TERT_F32, 0, {}, {}}, data(static_cast<float *>(scales.data) +
                                          (rankOf(scales) == 0 ? 0 : expert)) {}

  tert_tensor get() const { return {data, &layout}; }

private:
  tert_layout layout;
  void *data;
};

/// The rows of an expert: `places` of a matrix, in ascending order.
struct Rows {
  const int64_t *places;
  int64_t count;

  bool areAdjacent() const {
    return count == 0 || places[count - 1] - places[0] + 1 == count;
  }
  int64_t first() const { return count ? places[0] : 0; }
};

} // namespace

/// Copies rows of `from` at places into `to`, or back.
static void copyRows(Execution &execution, const Matrix &all, const Matrix &few,
                     const Rows &rows, bool back) {
  RowTasks tasks(rows.count, few.cols);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    for (int64_t i = 0; i < tasks.size(task); ++i) {
      const int64_t row = tasks.first(task) + i;
      void *there = all.address(rows.places[row]), *here = few.address(row);
      std::memcpy(back ? there : here, back ? here : there,
                  few.cols * bytesOf(few.dtype));
    }
  });
}

static View newMatrix(Scratch::Frame &frame, tert_dtype dtype, int64_t rows,
                      int64_t cols) {
  return View(dtype, frame.take<char>(rows * cols * bytesOf(dtype)), rows, cols,
              cols);
}

static View takeRows(Execution &execution, Scratch::Frame &frame,
                     const tert_tensor &from, const Rows &rows) {
  const int64_t cols = sizeOf(from, 1);
  if (rows.areAdjacent())
    return View(from, rows.first(), rows.count, 0, cols);
  View copy = newMatrix(frame, dtypeOf(from), rows.count, cols);
  copyRows(execution, Matrix(from), Matrix(copy.get()), rows, /*back=*/false);
  return copy;
}

/// Columns of codes.
static View takeColumns(Execution &execution, Scratch::Frame &frame,
                        const tert_tensor &from, const Rows &rows) {
  const Matrix codes(from);
  if (rows.areAdjacent())
    return View(from, 0, codes.rows, rows.first(), rows.count);
  View copy = newMatrix(frame, codes.dtype, codes.rows, rows.count);
  const Matrix few(copy.get());
  RowTasks tasks(codes.rows, rows.count);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    for (int64_t i = 0; i < tasks.size(task); ++i) {
      const uint8_t *there = codes.row<uint8_t>(tasks.first(task) + i);
      uint8_t *here = few.row<uint8_t>(tasks.first(task) + i);
      for (int64_t j = 0; j < rows.count; ++j)
        here[j] = there[rows.places[j]];
    }
  });
  return copy;
}

//===-- Products ----------------------------------------------------------===//

/// Calls fn(expert, rows) for every expert, and makes rows of d without an
/// expert zero if d has the rows' results.
template <typename Fn>
static void forEachExpert(Execution &execution, const ExpertProduct &product,
                          const tert_tensor &groups, const tert_tensor &d,
                          const Fn &fn) {
  Matrix result(d);
  if (result.rows == 0 || result.cols == 0)
    return;
  const auto *owners = static_cast<const int32_t *>(groups.data);
  Scratch::Frame frame(execution.scratch);
  int64_t *ends = frame.take<int64_t>(product.experts + 1);
  int64_t *places = frame.take<int64_t>(product.rows);
  std::fill_n(ends, product.experts + 1, 0);
  for (int64_t row = 0; row < product.rows; ++row) {
    const int64_t expert = owners[row];
    if (expert >= product.experts && product.experts)
      throw Error(TERT_INVALID_DATA, "expert " + std::to_string(expert) +
                                         " of row " + std::to_string(row) +
                                         " is not below " +
                                         std::to_string(product.experts) +
                                         ", the number of experts");
    if (expert >= 0 && product.experts)
      ++ends[expert + 1];
    else if (!product.wgrad)
      std::memset(result.address(row), 0, result.cols * bytesOf(result.dtype));
  }
  if (!product.experts) // nothing is summed
    return;
  // ends[e] is the next place of expert e, and in the end its last.
  std::partial_sum(ends, ends + product.experts + 1, ends);
  for (int64_t row = 0; row < product.rows; ++row)
    if (owners[row] >= 0)
      places[ends[owners[row]]++] = row;
  for (int64_t expert = 0, begin = 0; expert < product.experts; ++expert) {
    const int64_t end = ends[expert];
    if (end > begin || product.wgrad)
      fn(expert, Rows{places + begin, end - begin});
    begin = end;
  }
}

/// The part of b, or of d with wgrad, that belongs to an expert.
static View partOf(const tert_tensor &matrix, int64_t expert, int64_t size,
                   bool sideBySide = false) {
  return sideBySide ? View(matrix, 0, sizeOf(matrix, 0), expert * size, size)
                    : View(matrix, expert * size, size, 0, sizeOf(matrix, 1));
}

/// Calls multiply(d) for the results of rows, wherever these are.
template <typename Fn>
static void withResult(Execution &execution, const tert_tensor &d,
                       const Rows &rows, const Fn &multiply) {
  const int64_t cols = sizeOf(d, 1);
  if (rows.areAdjacent())
    return multiply(View(d, rows.first(), rows.count, 0, cols).get());
  Scratch::Frame frame(execution.scratch);
  View together = newMatrix(frame, dtypeOf(d), rows.count, cols);
  multiply(together.get());
  copyRows(execution, Matrix(d), Matrix(together.get()), rows, /*back=*/true);
}

void cpu::expertMatmul(Execution &execution, const tert_tensor &a,
                       const tert_tensor &b, const tert_tensor &groups,
                       const tert_tensor &d, bool transposeB, bool wgrad,
                       int64_t) {
  const ExpertProduct product =
      getExpertProduct(a, b, groups, d, transposeB, wgrad, /*scaled=*/false);
  forEachExpert(execution, product, groups, d, [&](int64_t expert, Rows rows) {
    Scratch::Frame frame(execution.scratch);
    const View left = takeRows(execution, frame, a, rows);
    if (wgrad) {
      const View right = takeRows(execution, frame, b, rows);
      return matmul(execution, left.get(), right.get(), nullptr,
                    partOf(d, expert, product.m).get(), /*transposeA=*/true,
                    /*transposeB=*/false, /*addToD=*/false);
    }
    const View right = partOf(b, expert, transposeB ? product.n : product.k);
    withResult(execution, d, rows, [&](const tert_tensor &result) {
      matmul(execution, left.get(), right.get(), nullptr, result,
             /*transposeA=*/false, transposeB, /*addToD=*/false);
    });
  });
}

void cpu::scaledExpertMatmul(Execution &execution, const tert_scaled &a,
                             const tert_scaled &b, const tert_tensor &groups,
                             const tert_tensor &d, bool transposeB, bool wgrad,
                             int64_t, tert_accumulate accumulate) {
  const ExpertProduct product = getExpertProduct(
      *a.data, *b.data, groups, d, transposeB, wgrad, /*scaled=*/true);
  forEachExpert(execution, product, groups, d, [&](int64_t expert, Rows rows) {
    Scratch::Frame frame(execution.scratch);
    const View leftScale(*a.scale_inv, expert),
        rightScale(*b.scale_inv, expert);
    const tert_tensor scaleA = leftScale.get(), scaleB = rightScale.get();
    auto multiply = [&](const View &left, const View &right,
                        const tert_tensor &result) {
      const tert_tensor codesA = left.get(), codesB = right.get();
      scaledMatmul(execution, {&codesA, &scaleA}, {&codesB, &scaleB}, nullptr,
                   nullptr, result, accumulate);
    };
    if (wgrad)
      return multiply(takeColumns(execution, frame, *a.data, rows),
                      takeColumns(execution, frame, *b.data, rows),
                      partOf(d, expert, product.m).get());
    const View left = takeRows(execution, frame, *a.data, rows);
    const View right = partOf(*b.data, expert,
                              transposeB ? product.n : product.k, !transposeB);
    withResult(execution, d, rows, [&](const tert_tensor &result) {
      multiply(left, right, result);
    });
  });
}
