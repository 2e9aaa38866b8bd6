// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-plan-memory: one arena per function.

#include "te/Analysis/BufferLiveness.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <random>

namespace mlir::te {
#define GEN_PASS_DEF_TEPLANMEMORY
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

/// Where every interval of a liveness lies in the arena, and the arena's size.
struct Placement {
  SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};

} // namespace

/// Places the intervals in the given order, each at the lowest offset that no
/// overlapping interval placed before takes.
static Placement placeInOrder(ArrayRef<BufferInterval> intervals,
                              ArrayRef<unsigned> order, int64_t alignment) {
  Placement placement;
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
    placement.offsets[index] = offset;
    placement.bytes = std::max(placement.bytes, offset + bytes);
    placed.emplace(offset, index);
  }
  return placement;
}

/// Tries a few orders and keeps the smallest arena: which one is best depends
/// on how saved activations, temporaries and gradients alternate. Intervals
/// from index `firstPlaced` on come first in every order.
static Placement place(ArrayRef<BufferInterval> intervals, int64_t alignment,
                       unsigned firstPlaced) {
  using Key = double (*)(const BufferInterval &);
  static constexpr auto lifetime = [](const BufferInterval &interval) {
    return double(interval.lastUse) - interval.firstUse + 1;
  };
  static constexpr Key keys[] = {
      [](const BufferInterval &interval) { return double(interval.bytes); },
      lifetime,
      [](const BufferInterval &interval) {
        return double(interval.bytes) * lifetime(interval);
      },
      [](const BufferInterval &interval) { return -double(interval.firstUse); },
  };
  std::optional<Placement> best;
  for (Key key : keys) {
    auto order = llvm::to_vector(llvm::seq<unsigned>(intervals.size()));
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::tuple(a < firstPlaced, -key(intervals[a]), a) <
             std::tuple(b < firstPlaced, -key(intervals[b]), b);
    });
    Placement placement = placeInOrder(intervals, order, alignment);
    if (!best || placement.bytes < best->bytes)
      best = std::move(placement);
  }
  return *best;
}

/// Checks that no two buffers in use at one time share a byte, without relying
/// on how they were placed: a sweep over the block with the buffers in use
/// sorted by offset, in which only neighbours can collide.
static bool isValid(ArrayRef<BufferInterval> intervals,
                    const Placement &placement) {
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
        inUse.erase(placement.offsets[byEnd[ended]]);
    if (!interval.bytes)
      continue;
    int64_t begin = placement.offsets[index], end = begin + interval.bytes;
    auto next = inUse.lower_bound(begin);
    if (end > placement.bytes || (next != inUse.end() && next->first < end) ||
        (next != inUse.begin() && std::prev(next)->second > begin))
      return false;
    inUse.emplace(begin, end);
  }
  return true;
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

/// Ops whose backends want far more temporary memory than their tensors have:
/// a deterministic gradient of attention keeps that of all scores.
static bool wantsWorkspace(Operation *op) {
  return isa<tert::AttentionGradOp>(op);
}

/// Places the intervals as `place` does, and where the arena does not grow by
/// it in a way that keeps what is free during some of the calls in one piece.
static Placement placeWithWorkspaces(ArrayRef<BufferInterval> intervals,
                                     ArrayRef<unsigned> workspacePositions,
                                     int64_t alignment) {
  const unsigned count = intervals.size();
  Placement best = place(intervals, alignment, count);
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
    auto fits = [&](Placement placement) {
      if (placement.bytes > best.bytes)
        return false;
      placement.offsets.truncate(count);
      best = std::move(placement);
      return true;
    };
    if (fits(place(all, alignment, all.size())) ||
        fits(place(all, alignment, count)))
      return best;
    for (unsigned seed = 0; seed < tries; ++seed)
      if (fits(placeInOrder(all, shuffledBySize(all, count, seed), alignment)))
        return best;
  }
  return best;
}

/// The longest piece of the arena that nothing uses at `position`: {offset,
/// bytes}.
static std::pair<int64_t, int64_t> findSpare(ArrayRef<BufferInterval> intervals,
                                             const Placement &placement,
                                             int64_t alignment,
                                             unsigned position) {
  SmallVector<std::pair<int64_t, int64_t>> taken; // offset to end
  for (auto [interval, offset] : llvm::zip(intervals, placement.offsets))
    if (interval.isLiveAt(position))
      taken.push_back(
          {offset, offset + llvm::alignTo(interval.bytes, alignment)});
  taken.push_back({placement.bytes, placement.bytes});
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

namespace {
struct TEPlanMemory : te::impl::TEPlanMemoryBase<TEPlanMemory> {
  using Base::Base;

  void runOnOperation() override {
    if (alignment <= 0 || !llvm::isPowerOf2_64(alignment)) {
      getOperation().emitError()
          << "te-plan-memory: the alignment must be a power of two, got "
          << alignment;
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(planFunction(function)))
        return signalPassFailure();
  }

private:
  LogicalResult planFunction(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError() << "has control flow; te-plan-memory takes "
                                       "straight-line functions";
    Block &block = function.front();
    SmallVector<BlockArgument> results;
    for (BlockArgument argument : function.getArguments())
      if (function.getArgAttr(argument.getArgNumber(), kOutputAttr))
        results.push_back(argument);
    FailureOr<BufferLiveness> liveness =
        BufferLiveness::compute(block, results);
    if (failed(liveness))
      return failure();
    ArrayRef<BufferInterval> intervals = liveness->getIntervals();
    SmallVector<unsigned> workspaces;
    for (Operation &op : block)
      if (wantsWorkspace(&op))
        workspaces.push_back(liveness->getPosition(&op));
    Placement placement = placeWithWorkspaces(intervals, workspaces, alignment);
    if (!isValid(intervals, placement))
      return function.emitOpError()
             << "got a memory plan in which buffers overlap";

    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    auto arenaType = MemRefType::get({placement.bytes}, builder.getI8Type());
    auto arenaAttrs = builder.getDictionaryAttr(
        builder.getNamedAttr(kArenaAttr, builder.getUnitAttr()));
    unsigned index = function.getNumArguments();
    if (failed(function.insertArgument(index, arenaType, arenaAttrs,
                                       function.getLoc())))
      return failure();
    function->setAttr(kArenaBytesAttr,
                      builder.getI64IntegerAttr(placement.bytes));

    DenseMap<int64_t, Value> constants;
    for (auto [interval, offset] : llvm::zip(intervals, placement.offsets))
      if (Value &constant = constants[offset];
          !constant && interval.buffer.getDefiningOp())
        constant =
            arith::ConstantIndexOp::create(builder, function.getLoc(), offset);
    for (auto [interval, offset] : llvm::zip(intervals, placement.offsets)) {
      auto alloc = interval.buffer.getDefiningOp<memref::AllocOp>();
      if (!alloc) {
        function.setArgAttr(cast<BlockArgument>(interval.buffer).getArgNumber(),
                            kArenaOffsetAttr,
                            builder.getI64IntegerAttr(offset));
        continue;
      }
      OpBuilder here(alloc);
      Value view = memref::ViewOp::create(here, alloc.getLoc(), alloc.getType(),
                                          function.getArgument(index),
                                          constants[offset], ValueRange());
      alloc.replaceAllUsesWith(view);
    }
    for (auto alloc :
         llvm::make_early_inc_range(block.getOps<memref::AllocOp>()))
      alloc.erase();
    for (auto call : block.getOps<tert::RuntimeCallOpInterface>()) {
      auto [offset, bytes] = findSpare(intervals, placement, alignment,
                                       liveness->getPosition(call));
      if (bytes)
        call->setAttr(kSpareAttr,
                      builder.getDenseI64ArrayAttr({offset, bytes}));
    }
    report(function, *liveness, placement.bytes);
    return success();
  }

  void report(func::FuncOp function, const BufferLiveness &liveness,
              int64_t bytes) {
    int64_t peak = liveness.getPeakBytes(alignment), sum = 0;
    for (const BufferInterval &interval : liveness.getIntervals())
      sum += interval.bytes;
    size_t count = liveness.getIntervals().size();
    remark::analysis(
        function.getLoc(),
        remark::RemarkOpts::name("Arena").category("memory").function(
            function.getName()))
        << remark::metric("ArenaBytes", bytes)
        << remark::metric("LiveBytes", peak)
        << remark::metric("BufferBytes", sum)
        << remark::metric("Buffers", count);
    if (bytes >= static_cast<int64_t>(arenaBytes.getValue())) {
      arenaBytes = bytes;
      liveBytes = peak;
      bufferBytes = sum;
      numBuffers = count;
    }
  }
};
} // namespace
