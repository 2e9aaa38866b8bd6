// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over rows that kernels leave in pieces.
#ifndef TERT_CUDA_KERNELS_COLUMNSUM_H
#define TERT_CUDA_KERNELS_COLUMNSUM_H

#include "cuda/Launch.h"

#include <initializer_list>

namespace tert::cuda {

/// Matrices [rows, N] of floats behind each other: the sum over the rows of
/// each goes to its result [N], where one is wanted. At most four.
void sumPartials(LaunchContext &launch, const float *partials, int64_t rows,
                 std::initializer_list<const tert_tensor *> results);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_COLUMNSUM_H
