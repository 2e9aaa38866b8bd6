// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales from amaxes (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_SCALEUPDATE_H
#define TERT_CUDA_KERNELS_SCALEUPDATE_H

#include "cuda/Launch.h"

namespace tert::cuda {

void computeScale(LaunchContext &launch, const tert_site &site,
                  const tert_tensor &amax, const tert_tensor &scale,
                  const tert_tensor &scaleInv, tert_dtype format,
                  int32_t margin);
void recordAmaxes(LaunchContext &launch, const tert_site &site, int32_t n,
                  const tert_tensor *amaxes, const tert_tensor &history);
void updateScales(LaunchContext &launch, const tert_site &site, int32_t n,
                  const tert_tensor *amaxes, const tert_tensor &scales,
                  const tert_tensor &scaleInvs, const tert_tensor &history,
                  const tert_tensor &nonfinite, const int32_t *formats,
                  tert_amax_algo algo, int32_t margin);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_SCALEUPDATE_H
