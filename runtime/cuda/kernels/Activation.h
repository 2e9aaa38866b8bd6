// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations and their gradients (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_ACTIVATION_H
#define TERT_CUDA_KERNELS_ACTIVATION_H

#include "cuda/Launch.h"

namespace tert::cuda {

void activation(LaunchContext &launch, const tert_site &site,
                const tert_tensor &x, const tert_tensor *y,
                const tert_quantized &quantized, tert_activation_kind kind);
void activationGrad(LaunchContext &launch, const tert_site &site,
                    const tert_tensor &dy, const tert_tensor &x,
                    const tert_tensor *dx, const tert_quantized &quantized,
                    const tert_tensor *dbias, tert_activation_kind kind);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ACTIVATION_H
