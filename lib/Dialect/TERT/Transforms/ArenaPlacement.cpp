// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArenaPlacement.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
#include <map>
#include <numeric>
#include <random>

using namespace mlir;
using namespace mlir::te;

/// Places the intervals in the given order, each at the lowest offset that does
/// not conflict with overlapping intervals placed before. Fails if that takes
/// more than `limit` bytes. `space` is scratch.
std::optional<ArenaPlacement>
ArenaPlacement::placeInOrder(ArrayRef<BufferInterval> intervals,
                             ArrayRef<unsigned> order, int64_t alignment,
                             int64_t limit, OccupiedSpace &space) {
  ArenaPlacement placement(alignment);
  placement.offsets.assign(intervals.size(), 0);
  space.clear();
  for (unsigned index : order) {
    const BufferInterval &interval = intervals[index];
    int64_t bytes = llvm::alignTo(interval.bytes, alignment);
    int64_t offset =
        space.findLowest(interval.firstUse, interval.lastUse, bytes);
    if (offset + bytes > limit)
      return std::nullopt;
    placement.offsets[index] = offset;
    placement.bytes = std::max(placement.bytes, offset + bytes);
    space.insert(interval.firstUse, interval.lastUse, offset, bytes);
  }
  return placement;
}

using Key = double (*)(const BufferInterval &);

static double getLifetime(const BufferInterval &interval) {
  return double(interval.lastUse) - interval.firstUse + 1;
}

/// Sort keys of the orders, descending: which one is best depends on how saved
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

/// A random order, by `seed`, that favours larger buffers first; the intervals
/// from index `firstPlaced` on come before all others.
static SmallVector<unsigned> shuffledBySize(ArrayRef<BufferInterval> intervals,
                                            unsigned firstPlaced,
                                            unsigned seed) {
  std::minstd_rand random(seed + 1);
  SmallVector<std::tuple<bool, double, unsigned>> keys;
  for (auto [index, interval] : llvm::enumerate(intervals)) {
    // Not a standard distribution, whose numbers differ by library.
    double chance = double(random()) / std::minstd_rand::max();
    keys.push_back({index < firstPlaced, -double(interval.bytes) * chance,
                    unsigned(index)});
  }
  llvm::sort(keys);
  return llvm::map_to_vector(keys, [](auto key) { return std::get<2>(key); });
}

void ArenaPlacement::improve(ArrayRef<BufferInterval> intervals,
                             SmallVector<unsigned> order, int64_t bound,
                             OccupiedSpace &space) {
  const uint64_t tries = std::min<uint64_t>(
      4000, 50000000 / (uint64_t(order.size()) * order.size() + 1));
  std::minstd_rand random;
  ArenaPlacement current = *this;
  for (uint64_t i = 0; i < tries && bytes > bound; ++i) {
    SmallVector<unsigned> next = order;
    // What lies highest is placed earlier, at a random place in the order.
    auto *highest = llvm::find_if(next, [&](unsigned index) {
      return current.offsets[index] +
                 int64_t(llvm::alignTo(intervals[index].bytes, alignment)) ==
             current.bytes;
    });
    if (highest == next.begin() || highest == next.end())
      return;
    std::rotate(next.begin() + random() % (highest - next.begin()), highest,
                highest + 1);
    // Somewhat larger arenas lead to smaller ones.
    std::optional<ArenaPlacement> placement =
        placeInOrder(intervals, next, alignment, bytes + bytes / 3, space);
    if (!placement)
      continue;
    current = std::move(*placement);
    order = std::move(next);
    if (current.bytes < bytes)
      *this = current;
  }
}

ArenaPlacement ArenaPlacement::compute(ArrayRef<BufferInterval> intervals,
                                       ArrayRef<unsigned> workspacePositions,
                                       int64_t alignment) {
  const unsigned count = intervals.size();
  ArenaPlacement best(alignment);
  best.bytes = std::numeric_limits<int64_t>::max();
  unsigned numPositions = 0;
  for (const BufferInterval &interval : intervals)
    numPositions = std::max(numPositions, interval.lastUse + 1);
  for (unsigned position : workspacePositions)
    numPositions = std::max(numPositions, position + 1);
  OccupiedSpace space(numPositions);
  // Bytes in use at each position.
  std::vector<int64_t> used(numPositions + 1, 0);
  for (const BufferInterval &interval : intervals) {
    int64_t bytes = llvm::alignTo(interval.bytes, alignment);
    used[interval.firstUse] += bytes;
    used[interval.lastUse + 1] -= bytes;
  }
  std::partial_sum(used.begin(), used.end(), used.begin());
  const int64_t bound = *llvm::max_element(used);

  SmallVector<std::pair<ArenaPlacement, SmallVector<unsigned>>> starts;
  for (Key key : kKeys) {
    SmallVector<unsigned> order = orderBy(key, intervals, count);
    if (std::optional<ArenaPlacement> placement =
            placeInOrder(intervals, order, alignment,
                         std::numeric_limits<int64_t>::max(), space))
      starts.emplace_back(std::move(*placement), std::move(order));
  }
  llvm::stable_sort(starts, [](const auto &a, const auto &b) {
    return a.first.bytes < b.first.bytes;
  });
  for (auto &[placement, order] : starts) {
    if (best.bytes <= bound)
      break;
    placement.improve(intervals, std::move(order), bound, space);
    // The first of equal ones stays.
    if (placement.bytes < best.bytes)
      best = std::move(placement);
  }
  if (workspacePositions.empty())
    return best;

  // Small programs get many tries; large ones have slack anyway.
  const uint64_t tries = 400000 / (uint64_t(count) * count + 1);
  // The free memory is seldom in one piece.
  for (double part : {1.0, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.35, 0.2}) {
    SmallVector<BufferInterval> all(intervals);
    for (unsigned position : workspacePositions) {
      int64_t free = best.bytes - used[position];
      all.push_back({Value(), int64_t(free * part), position, position});
    }
    auto fits = [&](ArrayRef<unsigned> order) {
      std::optional<ArenaPlacement> placement =
          placeInOrder(all, order, alignment, best.bytes, space);
      if (!placement)
        return false;
      placement->offsets.truncate(count);
      best = std::move(*placement);
      return true;
    };
    for (Key key : kKeys)
      if (fits(orderBy(key, all, all.size())) || fits(orderBy(key, all, count)))
        return best;
    for (uint64_t seed = 0; seed < tries; ++seed)
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

SmallVector<std::pair<int64_t, int64_t>>
ArenaPlacement::findSpares(ArrayRef<BufferInterval> intervals,
                           ArrayRef<unsigned> positions) const {
  auto byStart = llvm::to_vector(llvm::seq<unsigned>(intervals.size()));
  llvm::erase_if(byStart, [&](unsigned i) { return !intervals[i].bytes; });
  SmallVector<unsigned> byEnd = byStart;
  llvm::sort(byStart, [&](unsigned a, unsigned b) {
    return intervals[a].firstUse < intervals[b].firstUse;
  });
  llvm::sort(byEnd, [&](unsigned a, unsigned b) {
    return intervals[a].lastUse < intervals[b].lastUse;
  });
  // The ranges in use at the current position, in order and disjoint.
  std::vector<std::pair<int64_t, int64_t>> taken; // offset, end
  auto getPiece = [&](unsigned i) {
    return std::pair(offsets[i],
                     offsets[i] +
                         int64_t(llvm::alignTo(intervals[i].bytes, alignment)));
  };
  unsigned started = 0, ended = 0;
  return llvm::map_to_vector(positions, [&](unsigned position) {
    for (; started < byStart.size() &&
           intervals[byStart[started]].firstUse <= position;
         ++started) {
      auto piece = getPiece(byStart[started]);
      taken.insert(llvm::upper_bound(taken, piece), piece);
    }
    for (; ended < byEnd.size() && intervals[byEnd[ended]].lastUse < position;
         ++ended)
      taken.erase(llvm::lower_bound(taken, getPiece(byEnd[ended])));
    std::pair<int64_t, int64_t> longest = {0, 0};
    int64_t end = 0;
    auto measure = [&](int64_t next) {
      if (next - end > longest.second)
        longest = {end, next - end};
    };
    for (auto [offset, nextEnd] : taken) {
      measure(offset);
      end = std::max(end, nextEnd);
    }
    measure(bytes);
    return longest;
  });
}
