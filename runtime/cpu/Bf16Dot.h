// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of FP8 and bf16 matrices with x86's instructions for bf16
// (AVX512-BF16), which multiply twice as many elements as those for f32 and add
// the products in f32. Every FP8 value is a bf16 number, so operands are not
// rounded; subnormal numbers count as zero.
//
// Two neighbours along the summed dimension are a pair: one 32-bit lane. The
// second half of the last pair is zero if the depth is odd.
#ifndef TERT_CPU_BF16DOT_H
#define TERT_CPU_BF16DOT_H

#include "cpu/MatmulFactors.h"

namespace tert::cpu::bf16dot {

using Pair = uint32_t;

/// Whether this CPU has the instructions; without them, nothing below may be
/// called.
bool isSupported();

/// Rows [row, row + rows) of op(a), from k on and of this depth: rows of pairs,
/// `stride` apart.
void loadRows(const Factor &a, int64_t row, int64_t rows, int64_t k,
              int64_t depth, Pair *pairs, int64_t stride);

/// Columns [col, col + cols) of op(b), from k on and of this depth: a panel
/// [pairs][panelCols], zero beyond `cols`.
void loadColumns(const Factor &b, int64_t col, int64_t cols, int64_t k,
                 int64_t depth, Pair *pairs);

/// c[rows, columns] = a[rows, pairs] · b[pairs, columns], or += with
/// `accumulate`, for a panel b; `columns` is a multiple of 16. Every sum runs
/// over the pairs in order.
void multiplyTile(int64_t rows, int64_t columns, int64_t pairs, const Pair *a,
                  int64_t aStride, const Pair *b, float *c, int64_t ldc,
                  bool accumulate);

} // namespace tert::cpu::bf16dot

#endif // TERT_CPU_BF16DOT_H
