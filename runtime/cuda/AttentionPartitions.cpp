// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/AttentionPartitions.h"

using namespace tert;
using namespace tert::cuda;

/// Keys per thread block of cuDNN's gradient.
static constexpr int64_t keysPerBlock = 128;

AttentionPartitions AttentionPartitions::choose(const AttentionProblem &whole,
                                                size_t workspaceBytes,
                                                size_t limitBytes,
                                                int multiprocessors) {
  AttentionPartitions best(whole, 1, 1);
  auto bytes = [&](const AttentionPartitions &parts) {
    return workspaceBytes / size_t(parts.count());
  };
  int64_t blocks = whole.batch * whole.heads *
                   ((whole.keys + keysPerBlock - 1) / keysPerBlock);
  // With fewer blocks, the last wave leaves too much of the device idle.
  int64_t minimumBlocks = multiprocessors + multiprocessors / 2;
  // The fewest partitions that fit. Splitting sequences is preferred, because
  // heads are not contiguous. If none fits, the most partitions possible.
  for (int64_t headGroups = 1; headGroups <= whole.kvHeads; ++headGroups)
    for (int64_t batches = 1; batches <= whole.batch; ++batches) {
      AttentionPartitions parts(whole, batches, headGroups);
      if (whole.batch % batches != 0 || whole.kvHeads % headGroups != 0 ||
          blocks / parts.count() < minimumBlocks)
        continue;
      bool fits = bytes(parts) <= limitBytes;
      bool bestFits = bytes(best) <= limitBytes;
      if (fits != bestFits ? fits
                           : (fits ? parts.count() < best.count()
                                   : parts.count() > best.count()))
        best = parts;
    }
  return best;
}

AttentionProblem AttentionPartitions::problem() const {
  AttentionProblem part = whole;
  part.batch /= batches;
  part.heads /= headGroups;
  part.kvHeads /= headGroups;
  part.lse = {part.heads * part.queries, part.queries, 1};
  return part;
}

AttentionOperands AttentionPartitions::operands(const AttentionOperands &all,
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
