// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/StateShard.h"

#include <algorithm>

using namespace tert::session;

/// Without the addition, which could overflow.
static int64_t ceilOf(int64_t size, int64_t parts) {
  return size / parts + (size % parts != 0);
}

/// False on overflow.
static bool multiply(int64_t a, int64_t b, int64_t &product) {
  return !__builtin_mul_overflow(a, b, &product);
}

Expected<ShardLayout> ShardLayout::create(ShardSplit cut) {
  auto inRange = [](int64_t parts) { return parts >= 1 && parts <= maxRanks; };
  if (!inRange(cut.dimParts) || !inRange(cut.flatParts) ||
      !inRange(cut.dimParts * cut.flatParts))
    return Error("does not have from 1 to " + std::to_string(maxRanks) +
                 " parts");
  if (!elementCount(cut.shape))
    return Error("has a shape of more elements than any memory");
  const auto rank = static_cast<int64_t>(cut.shape.size());
  const bool isCut = cut.dimParts > 1;
  if ((isCut || !cut.blocks.empty() || cut.dim != 0) &&
      (cut.dim < 0 || cut.dim >= rank))
    return Error("cuts dimension " + std::to_string(cut.dim) +
                 ", which is none of " + std::to_string(rank));
  ShardLayout layout;
  int64_t outer = 1;
  const int64_t size = rank ? cut.shape[static_cast<size_t>(cut.dim)] : 1;
  for (int64_t i = 0; i < rank; ++i)
    if (i != cut.dim && !multiply(i < cut.dim ? outer : layout.inner,
                                  cut.shape[static_cast<size_t>(i)],
                                  i < cut.dim ? outer : layout.inner))
      return Error("has a shape of more elements than any memory");

  std::vector<int64_t> blocks = cut.blocks;
  if (blocks.empty())
    blocks.push_back(size);
  layout.fullBlocks = layout.shardBlocks = {0};
  for (int64_t block : blocks) {
    int64_t begin = layout.fullBlocks.back();
    if (block < 0 || block > size - begin)
      return Error("has blocks that do not add up to the " +
                   std::to_string(size) + " of dimension " +
                   std::to_string(cut.dim));
    if (block % cut.dimParts != 0 && blocks.size() > 1)
      return Error("has a block of " + std::to_string(block) +
                   " beside others, which " + std::to_string(cut.dimParts) +
                   " parts do not divide");
    layout.fullBlocks.push_back(begin + block);
    layout.shardBlocks.push_back(layout.shardBlocks.back() +
                                 ceilOf(block, cut.dimParts));
  }
  if (layout.fullBlocks.back() != size)
    return Error("has blocks that do not add up to the " +
                 std::to_string(size) + " of dimension " +
                 std::to_string(cut.dim));

  int64_t padded = 0;
  if (!multiply(outer, layout.shardBlocks.back(), padded) ||
      !multiply(padded, layout.inner, layout.splitElements))
    return Error("has shards of more elements than fit any memory");
  layout.perShard = ceilOf(layout.splitElements, cut.flatParts);
  if (!multiply(layout.perShard, cut.flatParts, padded))
    return Error("has shards of more elements than fit any memory");
  layout.what = std::move(cut);
  return layout;
}

/// The block that contains an index: the last one that begins at or before it.
static size_t blockOf(const std::vector<int64_t> &begins, int64_t index) {
  auto next = std::upper_bound(begins.begin(), begins.end() - 1, index);
  return static_cast<size_t>(next - begins.begin()) - 1;
}

Error ShardLayout::visit(int64_t part, int64_t first, int64_t count,
                         const RangeVisitor &visit) const {
  const int64_t dimPart = part / what.flatParts;
  const int64_t origin = part % what.flatParts * perShard;
  const int64_t end = std::min(origin + first + count, splitElements);
  if (what.dimParts == 1) {
    const int64_t begin = origin + first;
    return begin < end ? visit({begin, first, end - begin}) : Error::success();
  }
  const int64_t whole = fullBlocks.back(), row = shardBlocks.back() * inner;
  ShardRange pending = {0, 0, 0};
  for (int64_t at = origin + first; at < end;) {
    const int64_t index = at % row / inner, behind = at % inner;
    const size_t block = blockOf(shardBlocks, index);
    const int64_t size = shardBlocks[block + 1] - shardBlocks[block];
    const int64_t within = dimPart * size + index - shardBlocks[block];
    const int64_t left =
        (shardBlocks[block + 1] - index) * inner - behind; // in the buffer
    const int64_t real =                                   // in the tensor
        (fullBlocks[block + 1] - fullBlocks[block] - within) * inner - behind;
    const ShardRange range = {
        (at / row * whole + fullBlocks[block] + within) * inner + behind,
        at - origin, std::min({left, real, end - at})};
    at = std::min(at + left, end);
    if (range.count <= 0)
      continue;
    if (pending.global + pending.count == range.global &&
        pending.local + pending.count == range.local) {
      pending.count += range.count;
      continue;
    }
    if (pending.count)
      if (Error error = visit(pending))
        return error;
    pending = range;
  }
  return pending.count ? visit(pending) : Error::success();
}

ShardLayout::Place ShardLayout::find(int64_t element) const {
  int64_t dimPart = 0, at = element, run = splitElements - element;
  if (what.dimParts > 1) {
    const int64_t whole = fullBlocks.back() * inner;
    const int64_t index = element % whole / inner, behind = element % inner;
    const size_t block = blockOf(fullBlocks, index);
    const int64_t size = shardBlocks[block + 1] - shardBlocks[block];
    const int64_t inBlock = index - fullBlocks[block];
    dimPart = inBlock / size;
    at = (element / whole * shardBlocks.back() + shardBlocks[block] +
          inBlock % size) *
             inner +
         behind;
    const int64_t ends = std::min((dimPart + 1) * size,
                                  fullBlocks[block + 1] - fullBlocks[block]);
    run = (ends - inBlock) * inner - behind;
  }
  const int64_t flatPart = at / perShard, local = at % perShard;
  return {dimPart * what.flatParts + flatPart, local,
          std::min(run, perShard - local)};
}

int64_t StateShard::partOf(const Mesh &mesh, int32_t rank) const {
  return mesh.indexAlong(rank, dimAxes) * layout.cut().flatParts +
         mesh.indexAlong(rank, flatAxes);
}

int32_t StateShard::firstHolder(const Mesh &mesh, int32_t rank) const {
  auto has = [](const std::vector<std::string> &names,
                const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const MeshAxis &axis : mesh.axes)
    if (!has(dimAxes, axis.name) && !has(flatAxes, axis.name))
      rank = mesh.groupAlong(rank, axis.name);
  return rank;
}
