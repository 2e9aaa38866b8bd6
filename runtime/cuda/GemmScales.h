// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alignment of scale factors of FP8 operands for cuBLASLt.
#ifndef TERT_CUDA_GEMMSCALES_H
#define TERT_CUDA_GEMMSCALES_H

#include "cuda/GemmPlan.h"
#include "cuda/Launch.h"

namespace tert::cuda {

/// How many floats the scale factors of an FP8 matrix [rows, cols] take,
/// columns being contracted, with the padding that cuBLASLt defines: those of 1
/// x 128 elements are column by column, those of 128 x 128 row by row, and
/// either at multiples of four.
int64_t countScales(ScaleMode mode, int64_t rows, int64_t cols);

/// True if scales [r, c] of such a matrix are of that mode, and lie so.
bool haveMode(const tert_tensor &scales, ScaleMode mode, int64_t rows,
              int64_t cols);

/// Copies unaligned scale factors to temporary memory. cuBLASLt requires
/// addresses that are multiples of 16, and ours may be elements of one vector.
void alignScales(LaunchContext &launch, const GemmProblem &problem,
                 GemmOperands &operands);

} // namespace tert::cuda

#endif // TERT_CUDA_GEMMSCALES_H
