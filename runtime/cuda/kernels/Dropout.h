// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_DROPOUT_H
#define TERT_CUDA_KERNELS_DROPOUT_H

#include "cuda/Launch.h"

namespace tert::cuda {

void dropout(LaunchContext &launch, const tert_site &site, const tert_tensor &x,
             const tert_tensor &seed, const tert_tensor &y, float ratio,
             int64_t stream);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_DROPOUT_H
