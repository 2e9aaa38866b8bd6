// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts to and from FP8 (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_QUANTIZE_H
#define TERT_CUDA_KERNELS_QUANTIZE_H

#include "cuda/Launch.h"

namespace tert::cuda {

void quantize(LaunchContext &launch, const tert_site &site,
              const tert_tensor &x, const tert_quantized &quantized,
              const tert_tensor *dbias);
void quantizeJoined(LaunchContext &launch, const tert_site &site, int32_t numX,
                    const tert_tensor *x, const tert_quantized &quantized);
void dequantize(LaunchContext &launch, const tert_site &site,
                const tert_scaled &x, const tert_tensor &y);
void amax(LaunchContext &launch, const tert_site &site, const tert_tensor &x,
          const tert_tensor &amax);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_QUANTIZE_H
