// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of FP8 matrices with the instructions of x86 for bf16 (AVX512-BF16),
// which multiply twice as many elements as those for f32 and add the products
// in f32. Every FP8 value is a bf16 number, so nothing is rounded before.
//
// Two neighbours along the summed dimension are a pair: one 32-bit lane. A pair
// beyond the end, or the second half of one, is zero.
#ifndef TERT_CPU_BF16DOT_H
#define TERT_CPU_BF16DOT_H

#include "cpu/Matrix.h"

namespace tert::cpu::bf16dot {

using Pair = uint32_t;

/// Whether this CPU has the instructions; without them, nothing below may be
/// called.
bool isSupported();

/// Rows [row, row + rows) and columns [k, k + depth) of an FP8 matrix, as rows
/// of pairs, `stride` apart.
void loadRows(const Matrix &a, int64_t row, int64_t rows, int64_t k,
              int64_t depth, Pair *pairs, int64_t stride);

/// The same of at most 64 rows, transposed: [pairs of depth][64], zero beyond
/// `rows`.
void loadColumns(const Matrix &b, int64_t row, int64_t rows, int64_t k,
                 int64_t depth, Pair *pairs);

/// c[rows, columns] = a[rows, pairs] · b[pairs, columns], or += with
/// `accumulate`. Rows of b are 64 pairs apart; `columns` is a multiple of 16 and
/// at most 64. Every sum runs over the pairs in order.
void multiplyTile(int64_t rows, int64_t columns, int64_t pairs, const Pair *a,
                  int64_t aStride, const Pair *b, float *c, int64_t ldc,
                  bool accumulate);

} // namespace tert::cpu::bf16dot

#endif // TERT_CPU_BF16DOT_H
