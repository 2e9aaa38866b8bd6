// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OccupiedSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::te;

void MemoryPieces::insert(int64_t begin, int64_t end) {
  // Pieces that end before it stay, as do those that begin after it.
  auto first = llvm::lower_bound(
      pieces, begin, [](auto piece, int64_t at) { return piece.second < at; });
  auto last =
      std::upper_bound(first, pieces.end(), end,
                       [](int64_t at, auto piece) { return at < piece.first; });
  if (first == last) {
    pieces.insert(first, {begin, end});
    return;
  }
  *first = {std::min(begin, first->first),
            std::max(end, std::prev(last)->second)};
  pieces.erase(std::next(first), last);
}

std::optional<int64_t> MemoryPieces::findConflict(int64_t begin,
                                                  int64_t end) const {
  auto piece = llvm::upper_bound(
      pieces, begin, [](int64_t at, auto piece) { return at < piece.second; });
  if (piece == pieces.end() || piece->first >= end)
    return std::nullopt;
  return piece->second;
}

OccupiedSpace::OccupiedSpace(unsigned numPositions)
    : numLeaves(llvm::PowerOf2Ceil(std::max(1u, numPositions))),
      nodes(2 * size_t(numLeaves)) {}

llvm::SmallVector<unsigned, 64> OccupiedSpace::getCover(unsigned first,
                                                        unsigned last) const {
  llvm::SmallVector<unsigned, 64> cover;
  unsigned left = first + numLeaves, right = last + numLeaves + 1;
  for (; left < right; left /= 2, right /= 2) {
    if (left % 2)
      cover.push_back(left++);
    if (right % 2)
      cover.push_back(--right);
  }
  return cover;
}

llvm::SmallVector<unsigned, 32>
OccupiedSpace::getPath(unsigned position) const {
  llvm::SmallVector<unsigned, 32> path;
  for (unsigned node = position + numLeaves; node; node /= 2)
    path.push_back(node);
  return path;
}

void OccupiedSpace::insert(unsigned first, unsigned last, int64_t offset,
                           int64_t bytes) {
  if (!bytes)
    return;
  auto touch = [&](unsigned node) {
    nodes[node].sometimes.insert(offset, offset + bytes);
  };
  for (unsigned node : getCover(first, last)) {
    nodes[node].always.insert(offset, offset + bytes);
    touch(node);
  }
  // Ancestors of the cover contain the first or the last position.
  llvm::for_each(getPath(first), touch);
  llvm::for_each(getPath(last), touch);
}

int64_t OccupiedSpace::findLowest(unsigned first, unsigned last,
                                  int64_t bytes) const {
  // Ranges taken at some of the positions are in the nodes of the cover, or
  // cover one of these and more.
  llvm::SmallVector<const MemoryPieces *, 128> taken;
  for (unsigned node : getCover(first, last))
    taken.push_back(&nodes[node].sometimes);
  for (unsigned position : {first, last})
    for (unsigned node : getPath(position))
      taken.push_back(&nodes[node].always);
  int64_t offset = 0;
  for (bool isFree = false; !isFree;) {
    isFree = true;
    for (const MemoryPieces *pieces : taken)
      while (std::optional<int64_t> end =
                 pieces->findConflict(offset, offset + bytes)) {
        offset = *end;
        isFree = false;
      }
  }
  return offset;
}

void OccupiedSpace::clear() {
  for (Node &node : nodes) {
    node.always.clear();
    node.sometimes.clear();
  }
}
