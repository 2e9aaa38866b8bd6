// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of some sequences and heads at a time.
#ifndef TERT_CUDA_ATTENTIONPARTS_H
#define TERT_CUDA_ATTENTIONPARTS_H

#include "cuda/AttentionPlan.h"
#include "cuda/AttentionProblem.h"

namespace tert::cuda {

/// An attention problem cut along its sequences, and then its heads: all parts
/// are the same problem, at other addresses. Sequences and heads do not meet in
/// attention, so every result is what the whole would give.
class AttentionParts {
public:
  /// Cuts as far as is needed for a part of a problem that takes
  /// `workspaceBytes` as a whole to take `limitBytes`, but not into parts that
  /// would leave some of the multiprocessors without work.
  static AttentionParts choose(const AttentionProblem &whole,
                               size_t workspaceBytes, size_t limitBytes,
                               int multiprocessors);

  int64_t count() const { return batches * headGroups; }
  /// What one part computes. cuDNN wants the statistics of its heads without
  /// gaps: [batch, heads, queries] of the part.
  AttentionProblem problem() const;
  /// Whether the statistics of a part lie like that in those of the whole.
  bool hasPackedStatistics() const {
    return headGroups == 1 || batches == whole.batch;
  }
  /// Where the tensors of part `index` begin.
  AttentionOperands operands(const AttentionOperands &all, int64_t index) const;

private:
  AttentionParts(const AttentionProblem &whole, int64_t batches,
                 int64_t headGroups)
      : whole(whole), batches(batches), headGroups(headGroups) {}

  AttentionProblem whole;
  /// Pieces of the batch, and of the heads: queries' and keys' stay together.
  int64_t batches, headGroups;
};

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTIONPARTS_H
