// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Root mean square normalization and its gradient (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_RMSNORM_H
#define TERT_CUDA_KERNELS_RMSNORM_H

#include "cuda/Launch.h"

namespace tert::cuda {

void rmsNorm(LaunchContext &launch, const tert_site &site, const tert_tensor &x,
             const tert_tensor &gamma, const tert_tensor *y,
             const tert_tensor &rstd, const tert_quantized &quantized,
             float eps, bool zeroCentered);
void rmsNormGrad(LaunchContext &launch, const tert_site &site,
                 const tert_tensor &dy, const tert_tensor &x,
                 const tert_tensor &gamma, const tert_tensor &rstd,
                 const tert_tensor *residual, const tert_tensor *dx,
                 const tert_tensor &dgamma, const tert_quantized &quantized,
                 bool zeroCentered);
void rmsNormGradRecompute(LaunchContext &launch, const tert_site &site,
                          const tert_tensor &dy, const tert_tensor &x,
                          const tert_tensor &gamma, const tert_tensor &rstd,
                          const tert_tensor &yScale,
                          const tert_tensor *residual, const tert_tensor *dx,
                          const tert_tensor &dgamma,
                          const tert_quantized &quantized,
                          const tert_tensor &yColumnwise, bool zeroCentered);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_RMSNORM_H
