// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a causal gradient with more keys than queries into two that cuDNN
// computes faster.
#ifndef TERT_CUDA_ATTENTIONCALLS_H
#define TERT_CUDA_ATTENTIONCALLS_H

#include "cuda/AttentionPlan.h"
#include "cuda/AttentionProblem.h"

namespace tert::cuda {

/// A gradient and the addresses of its tensors.
struct AttentionCall {
  AttentionProblem problem;
  AttentionOperands operands;
};

/// True if cuDNN computes `gradient` faster in two calls. Its kernel skips the
/// blocks of scores that the causal mask hides only for as many keys as
/// queries; otherwise it computes them, a fraction queries / (2 keys) of all. A
/// problem with a window is not split: the window hides keys of the rectangle,
/// too.
bool isFasterSplit(const AttentionProblem &gradient);

/// All queries against the keys before them, which no mask hides.
AttentionCall rectangleOf(const AttentionCall &whole);

/// All queries against as many last keys, under the square causal mask. Scores
/// and their gradients are those of the full problem, because both calls read
/// its statistics: dK and dV of the two calls belong to different keys, and dQ
/// is the sum of both.
AttentionCall triangleOf(const AttentionCall &whole);

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTIONCALLS_H
