// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops of the forward pass are carried out once more in the backward pass,
// so that what they make is not kept.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_RECOMPUTEPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_RECOMPUTEPLAN_H

#include "Memory/StepGraph.h"

namespace mlir::te {

struct RecomputePlan {
  /// Buffers that are made again rather than kept, by number, and the ops that
  /// make them, by position.
  llvm::BitVector remade, repeated;
  /// Most bytes of values at a time, as far as tensors tell.
  int64_t peakBytes = 0;
  double seconds = 0; ///< of what is repeated

  /// Calls `repeat` for each repeated op and `keep` for each other op in the
  /// order in which they run then: a repeated op just before the first op that
  /// reads what it makes.
  void forEachStep(const StepGraph &graph,
                   llvm::function_ref<void(unsigned)> keep,
                   llvm::function_ref<void(unsigned)> repeat) const;
};

/// What may be repeated, and for what.
struct RecomputeLimits {
  /// Bytes that values may take at a time; 0: as few as can be.
  int64_t bytes = 0;
  /// Seconds that a byte may take at most; 0: any time.
  double price = 0;
  /// Whether products of matrices, attention among them, may be repeated. At a
  /// price those that move more than they multiply may be anyway.
  bool products = true;
};

/// The plan that is expected to take the least time of those within the limit;
/// if there is none, that with the least memory. For each stretch between two
/// places where the forward pass hands on little, which is a block of a model's
/// layer or a few of them, a cheapest cut finds what to keep at a price for a
/// byte: values cost their bytes, ops their time. Only what a stretch computes
/// from what is kept of it is repeated, never one stretch for another. Then
/// prices fall, one stretch after the other, where that stays within the limit.
RecomputePlan planRecomputation(const StepGraph &graph,
                                const RecomputeLimits &limits);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_RECOMPUTEPLAN_H
