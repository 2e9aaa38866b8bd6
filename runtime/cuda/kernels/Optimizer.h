// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient clipping and updates of parameters (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_OPTIMIZER_H
#define TERT_CUDA_KERNELS_OPTIMIZER_H

#include "cuda/Launch.h"
#include "program/Update.h"

#include <vector>

namespace tert::cuda {

void globalNorm(LaunchContext &launch, const tert_site &site, int32_t n,
                const tert_tensor *gradients, const tert_tensor &norm);
/// *sum, on the GPU, becomes the sum of squares of all tensors.
void sumOfSquares(LaunchContext &launch, int32_t n, const tert_tensor *tensors,
                  double *sum);
void clipCoefficient(LaunchContext &launch, const tert_site &site,
                     const tert_tensor &norm, const tert_tensor &maxNorm,
                     int32_t numAmaxes, const tert_tensor *amaxes,
                     const tert_tensor &coefficient);
void advanceStep(LaunchContext &launch, const tert_site &site,
                 const tert_tensor &coefficient, const tert_tensor &step);
void adamw(LaunchContext &launch, const tert_site &site,
           const AdamwScalars &scalars,
           const std::vector<ParameterUpdate> &parameters);
void sgd(LaunchContext &launch, const tert_site &site,
         const SgdScalars &scalars,
         const std::vector<ParameterUpdate> &parameters);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_OPTIMIZER_H
