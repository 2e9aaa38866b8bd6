// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, copies and constants (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_ELEMENTWISE_H
#define TERT_CUDA_KERNELS_ELEMENTWISE_H

#include "cuda/Launch.h"

namespace tert::cuda {

/// The bits of `value` in `dtype`; the op's check keeps integers in range.
uint64_t bitsOf(double value, tert_dtype dtype);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ELEMENTWISE_H
