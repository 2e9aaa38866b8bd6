// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over rows that kernels leave in pieces.
#ifndef TERT_CUDA_KERNELS_COLUMNSUM_H
#define TERT_CUDA_KERNELS_COLUMNSUM_H

#include "cuda/Launch.h"

namespace tert::cuda {

/// y[N] = sum over i of partials[i, :], `count` rows of N floats.
void sumPartials(LaunchContext &launch, const float *partials, int64_t count,
                 const tert_tensor &y);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_COLUMNSUM_H
