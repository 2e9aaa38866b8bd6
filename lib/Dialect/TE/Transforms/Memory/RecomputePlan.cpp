// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory/RecomputePlan.h"

#include "Memory/MinCut.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;

/// Prices of a byte, in picoseconds: from what no op is worth to what every op
/// is.
static constexpr double kLeastPrice = 1e-2, kPriceStep = 2;
static constexpr unsigned kNumPrices = 26;
/// Numbers of stretches that are joined to one.
static constexpr unsigned kJoined[] = {1, 2, 4, 8};
/// The part of the least memory that may be taken besides.
static constexpr int64_t kSpare = 64;
/// Parts of the stretches that are the first ones, where those may be shorter.
static constexpr double kFirstParts[] = {0.25, 0.5, 0.75};
/// A place where the forward pass hands on little: between two of them it hands
/// on this many times as much.
static constexpr double kProminence = 1.3;

void RecomputePlan::forEachStep(
    const StepGraph &graph, llvm::function_ref<void(unsigned)> keep,
    llvm::function_ref<void(unsigned)> repeat) const {
  llvm::BitVector done(graph.getOps().size());
  auto provide = [&](auto &self, unsigned reader) -> void {
    for (unsigned buffer : graph.getOps()[reader].reads) {
      const unsigned producer = graph.getBuffers()[buffer].producer;
      if (!remade[buffer] || done[producer])
        continue;
      done.set(producer);
      self(self, producer);
      repeat(producer);
    }
  };
  for (unsigned position = 0, e = graph.getOps().size(); position < e;
       ++position) {
    if (graph.isBehindTurn(position))
      provide(provide, position);
    keep(position);
  }
}

namespace {

class Planner {
public:
  Planner(const StepGraph &graph, const RecomputeLimits &limits)
      : graph(graph), limits(limits), ops(graph.getOps()),
        buffers(graph.getBuffers()) {}

  RecomputePlan run();

private:
  /// Places where the forward pass hands on little.
  SmallVector<unsigned> findBorders() const;
  void setStretches(ArrayRef<unsigned> borders);
  /// Finds what is made again at a price for a byte, in picoseconds.
  llvm::BitVector cut(double price) const;
  /// The plan of what the stretches make again at the prices of these numbers.
  RecomputePlan makePlan(ArrayRef<unsigned> chosen) const;
  RecomputePlan planStretches();

  bool isRepeatable(unsigned position) const {
    const StepOp &op = ops[position];
    return op.isForward && op.isRepeatable && position <= graph.getTurn() &&
           (limits.products || !op.multiplies ||
            (limits.price > 0 && op.isLight));
  }

  const StepGraph &graph;
  const RecomputeLimits &limits;
  ArrayRef<StepOp> ops;
  ArrayRef<StepBuffer> buffers;
  /// By position, and whether a buffer is read by the forward pass in another
  /// stretch than its own.
  SmallVector<unsigned> stretchOf;
  unsigned numStretches = 1;
  llvm::BitVector isHandedOn;
  /// What is made again at each price, without repetitions.
  std::vector<llvm::BitVector> cuts;
};

} // namespace

SmallVector<unsigned> Planner::findBorders() const {
  const unsigned turn = graph.getTurn();
  std::vector<int64_t> handed(turn + 2, 0);
  std::vector<unsigned> lastRead(buffers.size(), 0);
  for (unsigned position = 0; position <= turn; ++position)
    if (ops[position].isForward)
      for (unsigned buffer : ops[position].reads)
        lastRead[buffer] = position;
  for (auto [buffer, last] : llvm::zip_equal(buffers, lastRead))
    if (buffer.producer < last) {
      handed[buffer.producer] += buffer.bytes;
      handed[last] -= buffer.bytes;
    }
  for (unsigned position = 1; position <= turn; ++position)
    handed[position] += handed[position - 1];

  // The lowest place of each valley between two hills.
  SmallVector<unsigned> borders;
  bool falls = true;
  unsigned lowest = 0;
  int64_t extreme = std::numeric_limits<int64_t>::max();
  for (unsigned position = 0; position < turn; ++position) {
    if (!ops[position].isForward || ops[position].makes.empty())
      continue;
    const int64_t bytes = handed[position];
    if (falls && bytes < extreme) {
      extreme = bytes;
      lowest = position;
    } else if (falls && double(bytes) >= kProminence * double(extreme)) {
      borders.push_back(lowest);
      falls = false;
      extreme = bytes;
    } else if (!falls && bytes > extreme) {
      extreme = bytes;
    } else if (!falls && double(extreme) >= kProminence * double(bytes)) {
      falls = true;
      extreme = bytes;
      lowest = position;
    }
  }
  return borders;
}

void Planner::setStretches(ArrayRef<unsigned> borders) {
  stretchOf.assign(ops.size(), 0);
  unsigned stretch = 0;
  for (unsigned position = 0; position < ops.size(); ++position) {
    stretchOf[position] = stretch;
    if (stretch < borders.size() && position == borders[stretch])
      ++stretch;
  }
  numStretches = stretch + 1;
  isHandedOn.clear();
  isHandedOn.resize(buffers.size());
  for (unsigned position = 0; position <= graph.getTurn(); ++position)
    if (ops[position].isForward)
      for (unsigned buffer : ops[position].reads)
        if (stretchOf[buffers[buffer].producer] != stretchOf[position])
          isHandedOn.set(buffer);
}

llvm::BitVector Planner::cut(double price) const {
  MinCut network(2 + buffers.size());
  auto getNode = [](unsigned buffer) { return 2 + buffer; };
  std::vector<unsigned> repeats(ops.size(), 0);
  llvm::BitVector isRemade(buffers.size());
  for (unsigned position = 0; position <= graph.getTurn(); ++position) {
    if (!isRepeatable(position))
      continue;
    const unsigned node = repeats[position] = network.addNode();
    network.addEdge(
        node, MinCut::kSink,
        std::max<int64_t>(1, int64_t(ops[position].seconds * 1e12)));
    for (unsigned buffer : ops[position].reads)
      network.addEdge(node, getNode(buffer), MinCut::kInfinite);
  }
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    if (!ops[buffer.producer].isForward)
      continue;
    // What is there anyway costs nothing; all that has to be there are values
    // that the backward pass reads.
    const bool isFree = buffer.lastEarlyRead > graph.getTurn();
    const int64_t cost = isFree ? 0 : int64_t(double(buffer.bytes) * price);
    if (buffer.isKept)
      network.addEdge(MinCut::kSource, getNode(number), MinCut::kInfinite);
    const unsigned repeat = repeats[buffer.producer];
    isRemade[number] = repeat && !isHandedOn[number] && !buffer.isSmall &&
                       !isFree && buffer.bytes;
    network.addEdge(getNode(number), isRemade[number] ? repeat : MinCut::kSink,
                    cost);
  }
  llvm::BitVector side = network.solve();
  for (unsigned number : isRemade.set_bits())
    if (!side[getNode(number)] || !side[repeats[buffers[number].producer]])
      isRemade.reset(number);
  return isRemade;
}

RecomputePlan Planner::makePlan(ArrayRef<unsigned> chosen) const {
  RecomputePlan plan;
  plan.remade.resize(buffers.size());
  plan.repeated.resize(ops.size());
  for (auto [number, buffer] : llvm::enumerate(buffers))
    if (cuts[chosen[stretchOf[buffer.producer]]][number]) {
      plan.remade.set(number);
      plan.repeated.set(buffer.producer);
    }

  // When each buffer, and each that is made again, is there.
  struct Life {
    unsigned first = 0, last = 0;
    int64_t bytes = 0;
  };
  std::vector<Life> lives(2 * buffers.size());
  unsigned now = 0;
  auto run = [&](unsigned position, bool isAgain) {
    ++now;
    for (unsigned buffer : ops[position].reads)
      lives[2 * buffer +
            ((isAgain || graph.isBehindTurn(position)) && plan.remade[buffer])]
          .last = now;
    for (unsigned buffer : ops[position].makes)
      lives[2 * buffer + isAgain] = {now, now, buffers[buffer].bytes};
  };
  plan.forEachStep(
      graph, [&](unsigned position) { run(position, false); },
      [&](unsigned position) {
        run(position, true);
        plan.seconds += ops[position].seconds;
      });
  std::vector<int64_t> changes(now + 2, 0);
  for (const Life &life : lives) {
    changes[life.first] += life.bytes;
    changes[life.last + 1] -= life.bytes;
  }
  int64_t live = 0;
  for (int64_t change : changes)
    plan.peakBytes = std::max(plan.peakBytes, live += change);
  return plan;
}

/// The best of two plans: that within the limit, then the faster one; without
/// one that with less memory.
static bool isBetter(const RecomputePlan &plan, const RecomputePlan &other,
                     int64_t limit) {
  const bool fits = plan.peakBytes <= limit,
             otherFits = other.peakBytes <= limit;
  if (fits && otherFits)
    return std::tuple(plan.seconds, plan.peakBytes) <
           std::tuple(other.seconds, other.peakBytes);
  return std::tuple(plan.peakBytes, plan.seconds) <
         std::tuple(other.peakBytes, other.seconds);
}

RecomputePlan Planner::planStretches() {
  cuts.assign(1, llvm::BitVector(buffers.size()));
  SmallVector<double> prices;
  double price = kLeastPrice;
  for (unsigned i = 0; i < kNumPrices; ++i, price *= kPriceStep)
    prices.push_back(price);
  if (limits.price > 0)
    prices = {limits.price * 1e12};
  for (double price : prices)
    if (llvm::BitVector found = cut(price); found != cuts.back())
      cuts.push_back(std::move(found));

  // Prices rise for all together until what is needed fits.
  SmallVector<unsigned> chosen(numStretches, 0);
  RecomputePlan best = makePlan(chosen);
  unsigned level = 0;
  for (unsigned i = 1; i < cuts.size() && best.peakBytes > limits.bytes; ++i) {
    SmallVector<unsigned> all(numStretches, i);
    if (RecomputePlan plan = makePlan(all);
        isBetter(plan, best, limits.bytes)) {
      best = std::move(plan);
      level = i;
    }
  }
  chosen.assign(numStretches, level);
  // Then they fall for one stretch after the other, the last one first, whose
  // values are kept for the shortest time.
  // Without a limit, a little more than the least: no op for its last bytes.
  const int64_t limit = limits.bytes == 0
                            ? best.peakBytes + best.peakBytes / kSpare
                            : std::max(limits.bytes, best.peakBytes);
  for (unsigned stretch = numStretches; stretch-- > 0;)
    for (unsigned i = 0; i < level; ++i) {
      SmallVector<unsigned> fewer = chosen;
      fewer[stretch] = i;
      if (RecomputePlan plan = makePlan(fewer); plan.peakBytes <= limit) {
        chosen = fewer;
        best = std::move(plan);
        break;
      }
    }
  return best;
}

/// Every `ofFirst`th border of the first `numFirst`, and every `ofRest`th of
/// the others, counted from the last.
static SmallVector<unsigned> choose(ArrayRef<unsigned> borders, size_t numFirst,
                                    unsigned ofFirst, unsigned ofRest) {
  SmallVector<unsigned> chosen;
  unsigned passed = 0, joined = ofRest;
  for (size_t i = borders.size(); i-- > 0; ++passed) {
    if (i + 1 == numFirst)
      joined = ofFirst;
    if (passed % joined == 0)
      chosen.push_back(borders[i]);
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

RecomputePlan Planner::run() {
  SmallVector<unsigned> borders = findBorders();
  std::optional<RecomputePlan> best;
  auto consider = [&](size_t numFirst, unsigned ofFirst, unsigned ofRest) {
    setStretches(choose(borders, numFirst, ofFirst, ofRest));
    RecomputePlan plan = planStretches();
    if (!best || isBetter(plan, *best, limits.bytes))
      best = std::move(plan);
  };
  // At a given price, longer stretches would only repeat what costs more.
  if (limits.price > 0) {
    consider(0, 1, 1);
    return std::move(*best);
  }
  for (unsigned joined : kJoined)
    if (joined == 1 || joined <= borders.size())
      consider(0, joined, joined);
  // While gradients add up, less and less is kept: there is room for longer
  // stretches at the end of the forward pass.
  if (best->peakBytes > limits.bytes)
    for (unsigned ofFirst : kJoined)
      for (unsigned ofRest : kJoined)
        for (double part : kFirstParts)
          if (ofFirst < ofRest && ofRest <= borders.size())
            consider(size_t(part * double(borders.size())), ofFirst, ofRest);
  return std::move(*best);
}

RecomputePlan mlir::te::planRecomputation(const StepGraph &graph,
                                          const RecomputeLimits &limits) {
  return Planner(graph, limits).run();
}
