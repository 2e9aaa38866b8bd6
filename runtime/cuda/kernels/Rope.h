// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rotary position embedding (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_ROPE_H
#define TERT_CUDA_KERNELS_ROPE_H

#include "cuda/Launch.h"

namespace tert::cuda {

void rope(LaunchContext &launch, const tert_site &site, const tert_tensor &x,
          const tert_tensor &cos, const tert_tensor &sin, const tert_tensor &y,
          bool interleaved, bool inverse, tert_attention_layout layout);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ROPE_H
