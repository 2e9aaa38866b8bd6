// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A causal gradient with more keys than queries, as two that cuDNN is quick at.
#ifndef TERT_CUDA_ATTENTIONCALLS_H
#define TERT_CUDA_ATTENTIONCALLS_H

#include "cuda/AttentionPlan.h"
#include "cuda/AttentionProblem.h"

namespace tert::cuda {

/// A gradient and where its tensors are.
struct AttentionCall {
  AttentionProblem problem;
  AttentionOperands operands;
};

/// Whether `gradient` takes cuDNN less time in two. Only with as many keys as
/// queries does its kernel leave out the blocks of scores that the causal mask
/// hides; otherwise it computes them, a share of queries / (2 keys) of all.
/// What has a window stays whole: it hides keys of the rectangle, too.
bool isQuickerCut(const AttentionProblem &gradient);

/// All queries against the keys in front of them, which no mask hides.
AttentionCall rectangleOf(const AttentionCall &whole);

/// All queries against as many last keys, under the square causal mask. Scores
/// are those of the whole, whose statistics both read, and so are their
/// gradients: dK and dV of the two are different keys', dQ is a sum.
AttentionCall triangleOf(const AttentionCall &whole);

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTIONCALLS_H
