// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArenaPlacement.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
#include <map>
#include <random>

using namespace mlir;
using namespace mlir::te;

/// Places the intervals in the given order, each at the lowest offset that no
/// overlapping interval placed before takes. Nothing if that takes more than
/// `limit` bytes.
std::optional<ArenaPlacement>
ArenaPlacement::placeInOrder(ArrayRef<BufferInterval> intervals,
                             ArrayRef<unsigned> order, int64_t alignment,
                             int64_t limit) {
  ArenaPlacement placement(alignment);
  placement.offsets.assign(intervals.size(), 0);
  // Placed so far, by offset.
  std::multimap<int64_t, unsigned> placed;
  for (unsigned index : order) {
    int64_t bytes = llvm::alignTo(intervals[index].bytes, alignment);
    int64_t offset = 0;
    for (auto [otherOffset, other] : placed) {
      if (!intervals[index].overlaps(intervals[other]))
        continue;
      if (offset + bytes <= otherOffset)
        break;
      offset = std::max<int64_t>(
          offset,
          otherOffset + llvm::alignTo(intervals[other].bytes, alignment));
    }
    if (offset + bytes > limit)
      return std::nullopt;
    placement.offsets[index] = offset;
    placement.bytes = std::max(placement.bytes, offset + bytes);
    placed.emplace(offset, index);
  }
  return placement;
}

using Key = double (*)(const BufferInterval &);

static double getLifetime(const BufferInterval &interval) {
  return double(interval.lastUse) - interval.firstUse + 1;
}

/// What orders go by, the largest first: which one is best depends on how saved
/// activations, temporaries and gradients alternate.
static constexpr Key kKeys[] = {
    [](const BufferInterval &interval) { return double(interval.bytes); },
    getLifetime,
    [](const BufferInterval &interval) {
      return double(interval.bytes) * getLifetime(interval);
    },
    [](const BufferInterval &interval) { return -double(interval.firstUse); },
};

/// The intervals from index `firstPlaced` on, then the others, both by the key.
static SmallVector<unsigned>
orderBy(Key key, ArrayRef<BufferInterval> intervals, unsigned firstPlaced) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(intervals.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tuple(a < firstPlaced, -key(intervals[a]), a) <
           std::tuple(b < firstPlaced, -key(intervals[b]), b);
  });
  return order;
}

/// Larger buffers rather before smaller ones, otherwise by chance, which `seed`
/// decides; the intervals from index `firstPlaced` on before all others.
static SmallVector<unsigned> shuffledBySize(ArrayRef<BufferInterval> intervals,
                                            unsigned firstPlaced,
                                            unsigned seed) {
  std::minstd_rand random(seed + 1);
  SmallVector<std::tuple<bool, double, unsigned>> keys;
  for (auto [index, interval] : llvm::enumerate(intervals)) {
    // Not a distribution of the library's, whose numbers differ by library.
    double chance = double(random()) / std::minstd_rand::max();
    keys.push_back({index < firstPlaced, -double(interval.bytes) * chance,
                    unsigned(index)});
  }
  llvm::sort(keys);
  return llvm::map_to_vector(keys, [](auto key) { return std::get<2>(key); });
}

ArenaPlacement ArenaPlacement::compute(ArrayRef<BufferInterval> intervals,
                                       ArrayRef<unsigned> workspacePositions,
                                       int64_t alignment) {
  const unsigned count = intervals.size();
  ArenaPlacement best(alignment);
  best.bytes = std::numeric_limits<int64_t>::max();
  for (Key key : kKeys)
    // Smaller than the best so far: of equal ones the first stays.
    if (std::optional<ArenaPlacement> placement =
            placeInOrder(intervals, orderBy(key, intervals, count), alignment,
                         best.bytes - 1))
      best = std::move(*placement);
  if (workspacePositions.empty())
    return best;

  // Small programs are worth many tries; large ones have room anyway.
  const unsigned tries = 400000 / (count * count + 1);
  // All that is free is seldom in one piece.
  for (double part : {1.0, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.35, 0.2}) {
    SmallVector<BufferInterval> all(intervals);
    for (unsigned position : workspacePositions) {
      int64_t free = best.bytes;
      for (const BufferInterval &interval : intervals)
        if (interval.isLiveAt(position))
          free -= llvm::alignTo(interval.bytes, alignment);
      all.push_back({Value(), int64_t(free * part), position, position});
    }
    auto fits = [&](ArrayRef<unsigned> order) {
      std::optional<ArenaPlacement> placement =
          placeInOrder(all, order, alignment, best.bytes);
      if (!placement)
        return false;
      placement->offsets.truncate(count);
      best = std::move(*placement);
      return true;
    };
    for (Key key : kKeys)
      if (fits(orderBy(key, all, all.size())) || fits(orderBy(key, all, count)))
        return best;
    for (unsigned seed = 0; seed < tries; ++seed)
      if (fits(shuffledBySize(all, count, seed)))
        return best;
  }
  return best;
}

/// A sweep over the block with the buffers in use sorted by offset, in which
/// only neighbours can collide.
bool ArenaPlacement::isValid(ArrayRef<BufferInterval> intervals) const {
  auto byStart = llvm::to_vector(llvm::seq<unsigned>(intervals.size()));
  SmallVector<unsigned> byEnd = byStart;
  llvm::sort(byStart, [&](unsigned a, unsigned b) {
    return intervals[a].firstUse < intervals[b].firstUse;
  });
  llvm::sort(byEnd, [&](unsigned a, unsigned b) {
    return intervals[a].lastUse < intervals[b].lastUse;
  });
  std::map<int64_t, int64_t> inUse; // offset to end
  unsigned ended = 0;
  for (unsigned index : byStart) {
    const BufferInterval &interval = intervals[index];
    for (; intervals[byEnd[ended]].lastUse < interval.firstUse; ++ended)
      if (intervals[byEnd[ended]].bytes)
        inUse.erase(offsets[byEnd[ended]]);
    if (!interval.bytes)
      continue;
    int64_t begin = offsets[index], end = begin + interval.bytes;
    auto next = inUse.lower_bound(begin);
    if (end > bytes || (next != inUse.end() && next->first < end) ||
        (next != inUse.begin() && std::prev(next)->second > begin))
      return false;
    inUse.emplace(begin, end);
  }
  return true;
}

std::pair<int64_t, int64_t>
ArenaPlacement::findSpare(ArrayRef<BufferInterval> intervals,
                          unsigned position) const {
  SmallVector<std::pair<int64_t, int64_t>> taken; // offset to end
  for (auto [interval, offset] : llvm::zip(intervals, offsets))
    if (interval.isLiveAt(position))
      taken.push_back(
          {offset, offset + llvm::alignTo(interval.bytes, alignment)});
  taken.push_back({bytes, bytes});
  llvm::sort(taken);
  std::pair<int64_t, int64_t> longest = {0, 0};
  int64_t end = 0;
  for (auto [offset, nextEnd] : taken) {
    if (offset - end > longest.second)
      longest = {end, offset - end};
    end = std::max(end, nextEnd);
  }
  return longest;
}
