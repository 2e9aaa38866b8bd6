// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factors of a matrix product, and the sizes in which they are packed.
#ifndef TERT_CPU_MATMULFACTORS_H
#define TERT_CPU_MATMULFACTORS_H

#include "cpu/Matrix.h"

namespace tert::cpu {

/// One factor: op(matrix), a stored matrix or its transpose.
struct Factor {
  Matrix matrix;
  bool transposed;
};

/// Columns of a panel of op(b).
constexpr int64_t panelCols = 64;
/// Numbers, or pairs of them, along the depth of a block of op(a), and of the
/// packed part of op(b). It limits rows of op(b) to pieces that the hardware
/// prefetches.
constexpr int64_t blockDepth = 256;
/// Maximum number of rows of a block; a multiple of 4.
constexpr int64_t maxBlockRows = 96;
/// Stride of the rows of a block of op(a): not a power of two, so that they do
/// not all map to the same cache set.
constexpr int64_t blockStride = blockDepth + 16;

} // namespace tert::cpu

#endif // TERT_CPU_MATMULFACTORS_H
