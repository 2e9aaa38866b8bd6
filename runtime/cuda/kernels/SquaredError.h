// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss of regression (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_SQUAREDERROR_H
#define TERT_CUDA_KERNELS_SQUAREDERROR_H

#include "cuda/Launch.h"

namespace tert::cuda {

void squaredError(LaunchContext &launch, const tert_site &site,
                  const tert_tensor &x, const tert_tensor &target,
                  const tert_tensor &loss, tert_reduction reduction);
void squaredErrorGrad(LaunchContext &launch, const tert_site &site,
                      const tert_tensor &dloss, const tert_tensor &x,
                      const tert_tensor &target, const tert_tensor &dx,
                      tert_reduction reduction);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_SQUAREDERROR_H
