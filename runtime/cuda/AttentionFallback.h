// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention that cuDNN does not support: f32, mixed dtypes, head dimensions
// that are not a multiple of 8, softcaps, biases, lengths, sinks. Plain f32
// arithmetic, deterministic, one warp per row; written for correctness, not
// speed.
#ifndef TERT_CUDA_ATTENTIONFALLBACK_H
#define TERT_CUDA_ATTENTIONFALLBACK_H

#include "cuda/AttentionProblem.h"
#include "cuda/Launch.h"

namespace tert::cuda {

/// Larger head dimensions throw TERT_UNSUPPORTED.
constexpr int64_t maxFallbackDimension = 512;

void attentionFallback(LaunchContext &launch, const AttentionProblem &problem,
                       const tert_tensor &q, const tert_tensor &k,
                       const tert_tensor &v, const tert_tensor &o,
                       const tert_tensor &lse, const AttentionOptions &options);

void attentionGradFallback(LaunchContext &launch,
                           const AttentionProblem &problem,
                           const tert_tensor &dO, const tert_tensor &q,
                           const tert_tensor &k, const tert_tensor &v,
                           const tert_tensor &o, const tert_tensor &lse,
                           const tert_tensor &dq, const tert_tensor &dk,
                           const tert_tensor &dv, const tert_tensor *dbias,
                           const tert_tensor *dsinks,
                           const AttentionOptions &options);

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTIONFALLBACK_H
