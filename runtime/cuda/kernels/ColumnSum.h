// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Final step of sums over rows that kernels leave as partial sums.
#ifndef TERT_CUDA_KERNELS_COLUMNSUM_H
#define TERT_CUDA_KERNELS_COLUMNSUM_H

#include "cuda/Launch.h"

#include <initializer_list>

namespace tert::cuda {

/// Sums the rows of consecutive f32 matrices [rows, N], at most four, each into
/// its result [N]. Null results are skipped.
void sumPartials(LaunchContext &launch, const float *partials, int64_t rows,
                 std::initializer_list<const tert_tensor *> results);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_COLUMNSUM_H
