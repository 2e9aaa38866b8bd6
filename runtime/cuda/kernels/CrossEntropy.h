// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels and loss (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_CROSSENTROPY_H
#define TERT_CUDA_KERNELS_CROSSENTROPY_H

#include "cuda/Launch.h"

namespace tert::cuda {

void shiftLabels(LaunchContext &launch, const tert_site &site,
                 const tert_tensor &ids, const tert_tensor &labels,
                 int64_t ignoreIndex);
void countLabels(LaunchContext &launch, const tert_site &site,
                 const tert_tensor &labels, const tert_tensor &count,
                 int64_t classes, int64_t ignoreIndex);
void crossEntropyWithGrad(LaunchContext &launch, const tert_site &site,
                          const tert_tensor &dloss, const tert_tensor &labels,
                          const tert_tensor &count, const tert_tensor &logits,
                          const tert_tensor &loss, int64_t ignoreIndex,
                          tert_reduction reduction, float labelSmoothing,
                          float zLoss);

void crossEntropy(LaunchContext &launch, const tert_site &site,
                  const tert_tensor &logits, const tert_tensor &labels,
                  const tert_tensor &loss, const tert_tensor &lse,
                  const tert_tensor &count, int64_t ignoreIndex,
                  tert_reduction reduction, float labelSmoothing, float zLoss);
void crossEntropyGrad(LaunchContext &launch, const tert_site &site,
                      const tert_tensor &dloss, const tert_tensor &logits,
                      const tert_tensor &labels, const tert_tensor &lse,
                      const tert_tensor &count, const tert_tensor &dlogits,
                      int64_t ignoreIndex, tert_reduction reduction,
                      float labelSmoothing, float zLoss);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_CROSSENTROPY_H
