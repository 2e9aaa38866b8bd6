// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/AttentionParts.h"

using namespace tert;
using namespace tert::cuda;

/// Keys that one thread block of cuDNN's gradient works on.
static constexpr int64_t keysPerBlock = 128;

/// Blocks per multiprocessor below which the last ones to run would leave too
/// much of the device idle.
static constexpr int64_t blocksPerMultiprocessor = 2;

AttentionParts AttentionParts::choose(const AttentionProblem &whole,
                                      size_t workspaceBytes, size_t limitBytes,
                                      int multiprocessors) {
  AttentionParts chosen(whole, 1, 1);
  int64_t blocks = whole.batch * whole.heads *
                   ((whole.keys + keysPerBlock - 1) / keysPerBlock);
  auto fits = [&] {
    return workspaceBytes / size_t(chosen.count()) <= limitBytes;
  };
  auto cut = [&](int64_t size, int64_t &pieces) {
    for (int64_t next = 2; next <= size && !fits(); ++next) {
      if (size % next != 0)
        continue;
      int64_t count = chosen.count() / pieces * next;
      if (blocks / count < blocksPerMultiprocessor * multiprocessors)
        return;
      pieces = next;
    }
  };
  cut(whole.batch, chosen.batches);
  if (chosen.batches == whole.batch)
    cut(whole.kvHeads, chosen.headGroups);
  return chosen;
}

AttentionProblem AttentionParts::problem() const {
  AttentionProblem part = whole;
  part.batch /= batches;
  part.heads /= headGroups;
  part.kvHeads /= headGroups;
  return part;
}

AttentionOperands AttentionParts::operands(const AttentionOperands &all,
                                           int64_t index) const {
  AttentionProblem part = problem();
  int64_t batch = index / headGroups * part.batch, group = index % headGroups;
  auto at = [&](void *data, const AttentionStrides &strides, int64_t heads,
                size_t elementBytes) -> void * {
    int64_t offset = batch * strides[0] + group * heads * strides[1];
    return data ? static_cast<char *>(data) + offset * int64_t(elementBytes)
                : nullptr;
  };
  constexpr size_t bf16 = 2, f32 = 4;
  return {at(all.q, whole.q, part.heads, bf16),
          at(all.k, whole.k, part.kvHeads, bf16),
          at(all.v, whole.v, part.kvHeads, bf16),
          at(all.o, whole.o, part.heads, bf16),
          at(all.lse, whole.lse, part.heads, f32),
          at(all.dO, whole.dO, part.heads, bf16),
          at(all.dq, whole.dq, part.heads, bf16),
          at(all.dk, whole.dk, part.kvHeads, bf16),
          at(all.dv, whole.dv, part.kvHeads, bf16)};
}
