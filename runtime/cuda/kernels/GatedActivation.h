// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gated activations and their gradients (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_GATEDACTIVATION_H
#define TERT_CUDA_KERNELS_GATEDACTIVATION_H

#include "cuda/Launch.h"

namespace tert::cuda {

void gatedActivation(LaunchContext &launch, const tert_site &site,
                     const tert_tensor &x, const tert_tensor *up,
                     const tert_tensor *y, const tert_quantized &quantized,
                     tert_activation_kind kind, bool upFirst);
void gatedActivationGrad(LaunchContext &launch, const tert_site &site,
                         const tert_tensor &dy, const tert_tensor &x,
                         const tert_tensor *up, const tert_tensor *dx,
                         const tert_tensor *dup,
                         const tert_quantized &quantized,
                         const tert_tensor *dbias, tert_activation_kind kind,
                         bool upFirst);
void gatedActivationGradRecompute(
    LaunchContext &launch, const tert_site &site, const tert_tensor &dy,
    const tert_tensor &x, const tert_tensor &yScale, const tert_tensor *dx,
    const tert_quantized &quantized, const tert_tensor *dbias,
    const tert_tensor &yColumnwise, tert_activation_kind kind, bool upFirst);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_GATEDACTIVATION_H
