// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of attention in kernels of our own.
#ifndef TERT_CUDA_KERNELS_ATTENTIONGRAD_H
#define TERT_CUDA_KERNELS_ATTENTIONGRAD_H

#include "cuda/AttentionPlan.h"
#include "cuda/AttentionProblem.h"
#include "cuda/Launch.h"

namespace tert::cuda {

/// Computes a gradient in bf16 with Hopper's matrix units; two runs have the
/// same bits. False if the problem is not for them: another GPU, a head
/// dimension above 128, scores that are changed otherwise than by a causal mask
/// with or without a window, or addresses or strides that are no multiples of
/// 16 bytes.
bool attentionGradOnHopper(LaunchContext &launch,
                           const AttentionProblem &problem,
                           const AttentionOperands &operands);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ATTENTIONGRAD_H
