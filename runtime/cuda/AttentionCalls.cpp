// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/AttentionCalls.h"

using namespace tert;
using namespace tert::cuda;

/// With fewer queries the second call takes longer than the skipped blocks.
static constexpr int64_t minQueries = 512;

bool cuda::isFasterSplit(const AttentionProblem &gradient) {
  const bool hasWindow =
      gradient.window != 0 && gradient.window < gradient.keys;
  return gradient.causal && !hasWindow && gradient.keys > gradient.queries &&
         gradient.queries >= minQueries;
}

/// The call restricted to `count` keys from `first` on.
static AttentionCall withKeys(const AttentionCall &whole, int64_t first,
                              int64_t count) {
  AttentionCall cut = whole;
  cut.problem.keys = count;
  cut.problem.window = 0; // covers all keys, if there is one
  auto advance = [&](void *&data, const AttentionStrides &strides) {
    constexpr int64_t bf16 = 2;
    data = static_cast<char *>(data) + first * strides[2] * bf16;
  };
  advance(cut.operands.k, whole.problem.k);
  advance(cut.operands.v, whole.problem.v);
  advance(cut.operands.dk, whole.problem.dk);
  advance(cut.operands.dv, whole.problem.dv);
  return cut;
}

AttentionCall cuda::rectangleOf(const AttentionCall &whole) {
  AttentionCall cut =
      withKeys(whole, 0, whole.problem.keys - whole.problem.queries);
  cut.problem.causal = false;
  return cut;
}

AttentionCall cuda::triangleOf(const AttentionCall &whole) {
  return withKeys(whole, whole.problem.keys - whole.problem.queries,
                  whole.problem.queries);
}
