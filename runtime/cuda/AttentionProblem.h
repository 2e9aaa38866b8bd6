// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and strides of an attention op, for any order of its dimensions.
#ifndef TERT_CUDA_ATTENTIONPROBLEM_H
#define TERT_CUDA_ATTENTIONPROBLEM_H

#include "program/AttentionOptions.h"
#include "program/Tensor.h"

#include <array>
#include <tuple>

namespace tert::cuda {

/// Strides of a [batch, heads, sequence, head dimension] view. The last is 1.
using AttentionStrides = std::array<int64_t, 3>;

struct AttentionProblem {
  int64_t batch = 0, heads = 0, kvHeads = 0;
  int64_t queries = 0, keys = 0, dimension = 0;
  float scale = 1.0f;
  bool causal = false;
  int64_t window = 0;   ///< 0 for none
  float softcap = 0.0f; ///< 0 for none
  bool hasBias = false, hasLengths = false, hasSinks = false;
  bool gradient = false;
  bool deterministic = true; ///< for a gradient
  AttentionStrides q{}, k{}, v{}, o{};
  /// [batch, heads, queries]; the gradient's operands are zero in the forward
  /// op.
  AttentionStrides lse{}, dO{}, dq{}, dk{}, dv{};

  auto key() const {
    return std::tie(batch, heads, kvHeads, queries, keys, dimension, scale,
                    causal, window, softcap, hasBias, hasLengths, hasSinks,
                    gradient, deterministic, q, k, v, o, lse, dO, dq, dk, dv);
  }
  bool operator<(const AttentionProblem &other) const {
    return key() < other.key();
  }
};

/// Strides of batch, head and sequence in `tensor`.
inline AttentionStrides stridesOf(const tert_tensor &tensor,
                                  tert_attention_layout layout) {
  const int64_t *strides = tensor.layout->strides;
  switch (layout) {
  case TERT_BSHD:
    return {strides[0], strides[2], strides[1]};
  case TERT_BHSD:
    return {strides[0], strides[1], strides[2]};
  case TERT_SBHD:
    return {strides[1], strides[2], strides[0]};
  }
  return {};
}

/// The problem given by `q`, `k`, `v`, `o` and `lse`, without the gradient's
/// strides.
AttentionProblem describeAttention(const tert_tensor &q, const tert_tensor &k,
                                   const tert_tensor &v, const tert_tensor &o,
                                   const tert_tensor &lse,
                                   const AttentionOptions &options);

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTIONPROBLEM_H
