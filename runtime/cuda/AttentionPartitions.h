// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention computed for some sequences and heads at a time.
#ifndef TERT_CUDA_ATTENTIONPARTITIONS_H
#define TERT_CUDA_ATTENTIONPARTITIONS_H

#include "cuda/AttentionPlan.h"
#include "cuda/AttentionProblem.h"

namespace tert::cuda {

/// An attention problem partitioned along its sequences, and then its heads.
/// All partitions are the same problem at other addresses. Sequences and heads
/// are independent in attention, so results equal those of the full problem.
class AttentionPartitions {
public:
  /// Chooses the fewest partitions such that a problem that takes
  /// `workspaceBytes` fits in `limitBytes`, but never so many that some of the
  /// multiprocessors have no work.
  static AttentionPartitions choose(const AttentionProblem &whole,
                                    size_t workspaceBytes, size_t limitBytes,
                                    int multiprocessors);

  int64_t count() const { return batches * headGroups; }
  /// The problem of one partition. cuDNN requires packed statistics:
  /// [batch, heads, queries] of the partition.
  AttentionProblem problem() const;
  /// True if a partition's statistics are packed within the full tensor.
  bool hasPackedStatistics() const {
    return headGroups == 1 || batches == whole.batch;
  }
  /// The tensors of partition `index`.
  AttentionOperands operands(const AttentionOperands &all, int64_t index) const;

private:
  AttentionPartitions(const AttentionProblem &whole, int64_t batches,
                      int64_t headGroups)
      : whole(whole), batches(batches), headGroups(headGroups) {}

  AttentionProblem whole;
  /// Partitions of the batch, and of the heads: a key head stays with its query
  /// heads.
  int64_t batches, headGroups;
};

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTIONPARTITIONS_H
