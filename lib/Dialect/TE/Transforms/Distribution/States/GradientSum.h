// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form that the sum of a parameter's gradient over ranks has between
// te-parallelize, which makes it, te-gather-lookups and te-shard-states: a
// shard.all_reduce, in another shape, to which the gradients of all ranks'
// lookups are added if their rows are gathered.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_GRADIENTSUM_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_GRADIENTSUM_H

#include "Distribution/States/FlatShards.h"

namespace mlir::te {

struct GradientSum {
  /// Null if the gradient is no such sum.
  shard::AllReduceOp collective;
  /// Null if no lookups are added.
  AddOp addition;
  EmbeddingGradOp lookups;

  explicit operator bool() { return bool(collective); }

  /// The sum over the ranks along `axis`, and perhaps others, that `gradient`
  /// is.
  static GradientSum find(Value gradient, const ShardAxis &axis);
  /// The sum over any ranks that is read for `gradient` alone: it can become
  /// one over more ranks.
  static shard::AllReduceOp findUnshared(Value gradient);
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_GRADIENTSUM_H
