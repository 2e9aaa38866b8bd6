// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shards of sequences, and collectives that convert from and to them.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCESHARDS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCESHARDS_H

#include "Distribution/Reshard.h"

namespace mlir::te {

/// Builds collectives among the ranks of one axis. Rank r of n has piece r of n
/// of each block of a sharded dimension or, if balanced, the pieces r and 2n -
/// 1 - r of 2n, as te.attention documents.
class SequenceShards {
public:
  SequenceShards(OpBuilder &builder, const AxisRanks &mesh, bool balanced)
      : builder(builder), mesh(mesh), balanced(balanced) {}

  /// The rank's shard of a replicated value. The cotangent of `whole` is
  /// gathered from those of all shards.
  Value slice(Location loc, Value whole, const DimSplit &cut);
  /// As slice, for floats that are looked up by row: the cotangent of `whole`
  /// is that of the shard in its rows and zero elsewhere.
  Value lookUp(Location loc, Value whole, const DimSplit &cut);
  /// All shards, in order. If each rank computes something different from the
  /// full value (`varies`), the cotangent is a sum over the ranks.
  Value gather(Location loc, Value part, const DimSplit &cut, bool varies);
  /// Builds te.vary.
  Value vary(Location loc, Value whole);
  /// The sum of the ranks' terms.
  Value sum(Location loc, Value terms);

private:
  OpBuilder &builder;
  const AxisRanks &mesh;
  bool balanced;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SEQUENCESHARDS_H
