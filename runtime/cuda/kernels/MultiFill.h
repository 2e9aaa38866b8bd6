// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TERT_CUDA_KERNELS_MULTIFILL_H
#define TERT_CUDA_KERNELS_MULTIFILL_H

#include "cuda/Launch.h"

namespace tert::cuda {

/// tert_multi_fill: in one launch what is made of lines, in as many as
/// tert_fill takes what is not.
void multiFill(LaunchContext &launch, const tert_site &site, int32_t n,
               const tert_tensor *y, double value);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_MULTIFILL_H
