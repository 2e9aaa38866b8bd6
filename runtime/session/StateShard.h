// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What part of a tensor each rank of a mesh holds: the arithmetic of #te.shard
// (include/te/Dialect/TE/IR/TEShardAttrs.td), in both directions.

#ifndef TERT_SESSION_STATESHARD_H
#define TERT_SESSION_STATESHARD_H

#include "session/DType.h"
#include "session/Mesh.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tert::session {

/// How a tensor is cut. First dimension `dim`, into `dimParts`: it consists of
/// consecutive `blocks` (none: one, the whole dimension), and part r has the
/// r-th of equal parts of each; a size that does not divide is filled up with
/// zeros, which only one block may need. Then what is left, as its elements lie
/// in row-major order, into `flatParts` ranges of equal size, again with zeros
/// beyond the end.
struct ShardCut {
  Shape shape;
  int64_t dim = 0;
  int64_t dimParts = 1;
  std::vector<int64_t> blocks{};
  int64_t flatParts = 1;

  bool operator==(const ShardCut &other) const {
    return shape == other.shape && dim == other.dim &&
           dimParts == other.dimParts && blocks == other.blocks &&
           flatParts == other.flatParts;
  }
};

/// Elements that follow each other both in the tensor and in a part's buffer.
struct ShardRange {
  int64_t global, local, count;
};
using RangeVisitor = std::function<Error(const ShardRange &)>;

/// A cut that is sound. Part number p is the flat part p % flatParts of the
/// part p / flatParts of the dimension.
class ShardLayout {
public:
  /// Fails, saying what is wrong ("blocks do not add up to …"), for sizes that
  /// contradict each other or overflow.
  static Expected<ShardLayout> create(ShardCut cut);

  const ShardCut &cut() const { return what; }
  int64_t parts() const { return what.dimParts * what.flatParts; }
  /// Elements in the buffer of each part, those beyond the end included.
  int64_t partElements() const { return perPart; }

  /// Calls `visit` for what the elements [first, first + count) of a part's
  /// buffer are in the tensor, in ascending order of both. What no range covers
  /// is beyond an end, and zero.
  Error visit(int64_t part, int64_t first, int64_t count,
              const RangeVisitor &visit) const;

  /// Where an element of the tensor is, and how many that follow it are there
  /// too, at least 1.
  struct Place {
    int64_t part, local, run;
  };
  Place find(int64_t element) const;

private:
  ShardCut what;
  /// Elements of an index of the dimensions after `dim`.
  int64_t inner = 1;
  /// Where blocks begin, in the dimension and in that of a part; one more of
  /// each is the end.
  std::vector<int64_t> wholeBlocks, partBlocks;
  int64_t cutElements = 0; ///< Of a part of the dimension.
  int64_t perPart = 0;
};

/// A state of which each rank holds a part.
struct StateShard {
  ShardLayout layout;
  /// Axes of the mesh along which the parts are counted, with the last of them
  /// in the mesh the fastest.
  std::vector<std::string> dimAxes, flatAxes;

  int64_t partOf(const Mesh &mesh, int32_t rank) const;
  /// The first of the ranks that hold what `rank` does.
  int32_t firstHolder(const Mesh &mesh, int32_t rank) const;
};

} // namespace tert::session

#endif // TERT_SESSION_STATESHARD_H
