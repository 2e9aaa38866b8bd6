// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shards of a tensor on the ranks of a mesh: the arithmetic of #te.shard
// (include/te/Dialect/TE/IR/TEShardAttrs.td), in both directions.

#ifndef TERT_ARTIFACT_STATESHARD_H
#define TERT_ARTIFACT_STATESHARD_H

#include "artifact/Mesh.h"
#include "support/DType.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tert::session {

/// The split of a tensor into shards. First dimension `dim`, into `dimParts`:
/// it consists of consecutive `blocks` (none: one, the entire dimension), and
/// part r is the r-th of equal parts of each; a size that is not divisible is
/// padded with zeros, which only a single block may require. Then each part, in
/// row-major order, into `flatParts` ranges of equal size, again padded with
/// zeros at the end.
struct ShardSplit {
  Shape shape;
  int64_t dim = 0;
  int64_t dimParts = 1;
  std::vector<int64_t> blocks{};
  int64_t flatParts = 1;

  bool operator==(const ShardSplit &other) const {
    return shape == other.shape && dim == other.dim &&
           dimParts == other.dimParts && blocks == other.blocks &&
           flatParts == other.flatParts;
  }
};

/// Elements that are consecutive both in the tensor and in a shard's buffer.
struct ShardRange {
  int64_t global, local, count;
};
using RangeVisitor = std::function<Error(const ShardRange &)>;

/// A valid split. Shard p is the flat part p % flatParts of the dimension's
/// part p / flatParts.
class ShardLayout {
public:
  /// Fails with the reason ("blocks do not add up to …") for sizes that are
  /// inconsistent or overflow.
  static Expected<ShardLayout> create(ShardSplit cut);

  const ShardSplit &cut() const { return what; }
  int64_t parts() const { return what.dimParts * what.flatParts; }
  /// Elements in the buffer of each shard, including padding.
  int64_t shardElements() const { return perShard; }

  /// Calls `visit` with the ranges of the tensor that the elements
  /// [first, first + count) of a shard's buffer correspond to, in ascending
  /// order of both. Elements outside of all ranges are padding, and zero.
  Error visit(int64_t part, int64_t first, int64_t count,
              const RangeVisitor &visit) const;

  /// Position of an element of the tensor in the shards, and the number of
  /// consecutive elements from it on, at least 1.
  struct Place {
    int64_t part, local, run;
  };
  Place find(int64_t element) const;

private:
  ShardSplit what;
  /// Product of the dimensions after `dim`.
  int64_t inner = 1;
  /// Offsets of the blocks, in the dimension and in a part of it; the last
  /// element of each is the end.
  std::vector<int64_t> fullBlocks, shardBlocks;
  int64_t splitElements = 0; ///< Elements of a part of the dimension.
  int64_t perShard = 0;
};

/// Sharding of a state.
struct StateShard {
  ShardLayout layout;
  /// Axes of the mesh along which shards are numbered, the last one in the mesh
  /// the fastest.
  std::vector<std::string> dimAxes, flatAxes;

  int64_t partOf(const Mesh &mesh, int32_t rank) const;
  /// The first of the ranks with the same shard as `rank`.
  int32_t firstHolder(const Mesh &mesh, int32_t rank) const;
};

} // namespace tert::session

#endif // TERT_ARTIFACT_STATESHARD_H
