// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/RowSums.h"

#include "cpu/Loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/RowSums.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Simd-inl.h"

#ifndef TERT_CPU_ROWSUMS_PIECE
#define TERT_CPU_ROWSUMS_PIECE
namespace tert::cpu {
/// Columns of one task.
constexpr int64_t sumRowsPiece = 256;
} // namespace tert::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Columns [col, col + cols) of sumRows(), at most sumRowsPiece of them.
void sumRowsOf(const float *sums, int64_t count, const Matrix &y, int64_t col,
               int64_t cols) {
  HWY_ALIGN float total[sumRowsPiece];
  forVectors(cols, [&](int64_t j, int64_t lanes) HWY_ATTR {
    VecF32 sum = hn::Zero(F32());
    for (int64_t i = 0; i < count; ++i)
      sum = hn::Add(sum, loadF32(sums + i * y.cols + col + j, lanes));
    storeF32(sum, total + j, lanes);
  });
  writeRow(y.dtype, total, y.address(0, col), cols);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(sumRowsOf);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::sumRows(Execution &execution, const float *sums, int64_t count,
                  const Matrix &y) {
  auto sum = HWY_DYNAMIC_DISPATCH(sumRowsOf);
  execution.pool.parallelFor(
      ceilDiv(y.cols, sumRowsPiece), [&](int64_t task, int) {
        int64_t col = task * sumRowsPiece;
        sum(sums, count, y, col, std::min(sumRowsPiece, y.cols - col));
      });
}

#endif // HWY_ONCE
