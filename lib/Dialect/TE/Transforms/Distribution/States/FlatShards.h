// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shards of a tensor that are ranges of its elements, one for each rank along
// an axis: `flat_axes` of #te.shard.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_FLATSHARDS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_FLATSHARDS_H

#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// The axis whose ranks hold shards.
struct ShardAxis {
  StringRef grid;
  shard::GridAxis axis;
  int64_t ranks;
};

/// Splits a tensor into R shards of ceil(count / R) consecutive elements, with
/// zeros beyond the end.
class FlatShards {
public:
  /// Shards of a tensor of this shape: rows if the ranks divide the first
  /// dimension; else vectors. If matrix ops read them, they are matrices
  /// (`areMatrices`), of the tensor's view as a matrix.
  FlatShards(ArrayRef<int64_t> tensor, ShardAxis axis,
             bool areMatrices = false);

  /// The shape of the tensor, and that of what is sharded: of matrices, its
  /// view as a matrix.
  ArrayRef<int64_t> getTensor() const { return tensor; }
  ArrayRef<int64_t> getWhole() const { return whole; }
  ArrayRef<int64_t> getPart() const { return part; }
  int64_t getPartSize() const { return size; }
  RankedTensorType getPartType(Type element) const {
    return RankedTensorType::get(part, element);
  }
  /// The shards of the scales of FP8 states of the tensor (getStateScaleType);
  /// nullopt if the shards of these cut blocks that share a scale.
  std::optional<FlatShards> getStateScales() const;
  /// True if shards are consecutive rows without padding.
  bool isInRows() const { return whole.front() % axis.ranks == 0; }
  const ShardAxis &getAxis() const { return axis; }
  /// `before` (the full tensor, of this type, if null), sharded along the axis.
  ShardAttr getShard(RankedTensorType type, ShardAttr before) const;

  /// Reduce-scatters `value`: this rank's shard of the ranks' sum.
  Value scatterSum(OpBuilder &builder, Location loc, Value value) const;
  /// Gathers what is sharded from shards, of any shape and element type.
  Value gather(OpBuilder &builder, Location loc, Value value) const;

private:
  SmallVector<int64_t> tensor, whole, part;
  ShardAxis axis;
  int64_t count, size;
};

/// Writes `value` into the tensor `into` at `offsets`.
Value insertAt(OpBuilder &builder, Location loc, Value value, Value into,
               ArrayRef<int64_t> offsets);

/// Pads a vector or matrix with zeros behind its elements.
Value padTo(OpBuilder &builder, Location loc, Value value,
            ArrayRef<int64_t> shape);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_FLATSHARDS_H
