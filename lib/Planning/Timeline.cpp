// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Planning/Timeline.h"

#include "te/Dialect/TERT/IR/CallWork.h"
#include "te/Dialect/TERT/IR/TERT.h"

#include "llvm/ADT/SetVector.h"

#include <deque>
#include <map>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// TimeModel
//===----------------------------------------------------------------------===//

TimeModel::TimeModel(CostModelAttrInterface costs, const Cluster &cluster)
    : costs(costs), cluster(cluster) {
  if (!isKnown())
    return;
  Work copy;
  copy.bytes = 1e12;
  const double modelCopies = copy.bytes / costs.getFloorSeconds(copy);
  copyScale = modelCopies / cluster.device->copies;
  productScale = getReferenceCluster().device->peak / cluster.device->peak;
}

std::optional<double> TimeModel::getSeconds(const Work &work) const {
  std::optional<Cost> cost = costs.getCost(work);
  if (!cost)
    return std::nullopt;
  Work moving = work;
  moving.flops = 0;
  const bool multiplies =
      costs.getFloorSeconds(work) > costs.getFloorSeconds(moving);
  return cost->seconds * (multiplies ? productScale : copyScale);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static FailureOr<Collective> describeCollective(CollectiveOpInterface op,
                                                ArrayRef<MeshAxis> axes) {
  Collective collective;
  collective.kind = op.getCollectiveKind();
  collective.meshAxes = op.getMeshAxes();
  collective.isAsync = op.isAsync();
  if (collective.meshAxes < 0 || collective.meshAxes >> axes.size() != 0)
    return op->emitOpError()
           << "communicates along axes of a mesh that the module "
              "does not have";
  for (auto [number, axis] : llvm::enumerate(axes))
    if (collective.meshAxes >> number & 1)
      collective.ranks *= axis.size;
  llvm::SmallSetVector<Type, 2> types;
  for (ShapedType tensor : op.getWholes()) {
    ++collective.tensors;
    collective.wholeBytes += getBytes(tensor);
    types.insert(tensor.getElementType());
  }
  llvm::raw_string_ostream os(collective.dtypes);
  llvm::interleaveComma(types, os);
  collective.sentBytes =
      getSentBytes(collective.kind, collective.wholeBytes, collective.ranks);
  return collective;
}

//===----------------------------------------------------------------------===//
// Simulation
//===----------------------------------------------------------------------===//

namespace {
class Simulation {
public:
  Simulation(Timeline &timeline, double interference)
      : collectives(timeline.collectives), interference(interference) {}

  double getTime() const { return now; }

  void compute(double seconds) {
    for (auto &[axes, queue] : queues)
      for (Pending &pending : queue) {
        ++collectives[pending.collective].overlappedCalls;
        collectives[pending.collective].overlappedSeconds += seconds;
      }
    while (seconds > 0) {
      double until = nextEnd();
      double beside = (until - now) * (1 - interference);
      if (until <= now || beside >= seconds) {
        now += until <= now ? seconds : seconds / (1 - interference);
        return;
      }
      now = until;
      seconds -= beside;
    }
  }

  /// Waits for the collective that is last in the list.
  void run() {
    Collective &collective = collectives.back();
    now += collective.seconds;
    collective.exposedSeconds = collective.seconds;
    for (Pending &pending : queues[collective.meshAxes])
      if (pending.end > now - collective.seconds) {
        pending.begin +=
            pending.begin >= now - collective.seconds ? collective.seconds : 0;
        pending.end += collective.seconds;
      }
  }

  void begin(ValueRange tensors) {
    const Collective &collective = collectives.back();
    auto &queue = queues[collective.meshAxes];
    const double from = queue.empty() ? now : std::max(now, queue.back().end);
    queue.push_back({collectives.size() - 1, SmallVector<Value>(tensors), from,
                     from + collective.seconds});
  }

  void await(ValueRange tensors) {
    for (auto &[axes, queue] : queues) {
      size_t count = 0;
      for (auto [position, pending] : llvm::enumerate(queue))
        if (llvm::any_of(pending.tensors, [&](Value tensor) {
              return llvm::is_contained(tensors, tensor);
            }))
          count = position + 1;
      waitForFirst(queue, count);
    }
  }

  void awaitAll() {
    for (auto &[axes, queue] : queues)
      waitForFirst(queue, queue.size());
  }

private:
  struct Pending {
    size_t collective;
    SmallVector<Value> tensors;
    double begin, end;
  };

  void waitForFirst(std::deque<Pending> &queue, size_t count) {
    double until = now;
    for (; count > 0; --count) {
      const Pending &pending = queue.front();
      collectives[pending.collective].exposedSeconds =
          std::max(0.0, pending.end - std::max(pending.begin, now));
      until = std::max(until, pending.end);
      queue.pop_front();
    }
    now = until;
  }

  /// When the next background collective ends; in the past if there is none.
  double nextEnd() const {
    double next = now;
    for (const auto &[axes, queue] : queues)
      if (!queue.empty() && queue.back().end > now)
        next =
            next == now ? queue.back().end : std::min(next, queue.back().end);
    return next;
  }

  std::vector<Collective> &collectives;
  double interference, now = 0;
  std::map<int32_t, std::deque<Pending>> queues;
};
} // namespace

FailureOr<Timeline> mlir::te::computeTimeline(func::FuncOp function,
                                              ArrayRef<MeshAxis> axes,
                                              const TimeModel &model) {
  Timeline timeline;
  timeline.entry = function.getName().str();
  const Cluster &cluster = model.getCluster();
  const bool known = model.isKnown();
  Simulation simulation(timeline, known ? cluster.links->interference : 0);
  std::map<int32_t, GroupPlacement> placements;
  for (Operation &op : function.front()) {
    if (std::optional<Work> work = tert::getCallWork(&op)) {
      ++timeline.calls;
      timeline.flops += work->flops;
      double seconds = known ? model.getSeconds(*work).value_or(0) : 0;
      timeline.computeSeconds += seconds;
      simulation.compute(seconds);
    }
    if (auto call = dyn_cast<CollectiveOpInterface>(op)) {
      FailureOr<Collective> collective = describeCollective(call, axes);
      if (failed(collective))
        return failure();
      if (known && collective->ranks > 1) {
        auto [place, isNew] = placements.try_emplace(collective->meshAxes);
        if (isNew)
          place->second =
              placeGroup(axes, collective->meshAxes, cluster.hostSize);
        collective->seconds =
            te::getSeconds(collective->kind, collective->wholeBytes,
                           place->second, *cluster.links);
      }
      timeline.collectives.push_back(std::move(*collective));
      if (call.isAsync())
        simulation.begin(op.getOperands());
      else
        simulation.run();
    } else if (tert::communicatesAmongRanks(&op)) {
      return op.emitOpError() << "is a collective, but does "
                                 "not say what (CollectiveOpInterface)";
    } else if (auto wait = dyn_cast<tert::AwaitOp>(op)) {
      simulation.await(wait.getTensors());
    }
  }
  simulation.awaitAll();
  timeline.seconds = simulation.getTime();
  return timeline;
}
