// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/CollectiveCosts.h"

#include "Distribution/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Planning/CollectiveTime.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::te;

FailureOr<std::optional<CollectiveCosts>>
CollectiveCosts::get(ModuleOp module, ArrayRef<StringRef> names,
                     StringRef cluster) {
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(module);
  if (failed(mesh))
    return failure();
  const Cluster *machines =
      cluster.empty() ? &getReferenceCluster() : findCluster(cluster);
  if (!machines)
    return module.emitError() << "there is no cluster '" << cluster
                              << "'; expects one of " << listClusters();
  SmallVector<shard::GridAxis> axes;
  if (*mesh)
    for (StringRef name : names)
      if (std::optional<shard::GridAxis> axis = (*mesh)->findAxis(name))
        axes.push_back(*axis);
  if (axes.empty() || !machines->links)
    return std::optional<CollectiveCosts>();
  return std::optional(CollectiveCosts(**mesh, axes, *machines));
}

/// A collective's kind, its axes and its operand.
namespace {
struct Described {
  tert::CollectiveKind kind;
  ArrayRef<shard::GridAxis> axes;
  Value whole;
};
} // namespace

static std::optional<Described> describe(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Described>>(op)
      .Case([](shard::AllGatherOp gather) {
        return Described{tert::CollectiveKind::AllGather, gather.getGridAxes(),
                         gather.getResult()};
      })
      .Case([](shard::ReduceScatterOp scatter) {
        return Described{tert::CollectiveKind::ReduceScatter,
                         scatter.getGridAxes(), scatter.getInput()};
      })
      .Case([](AllGatherSequenceOp gather) {
        return Described{tert::CollectiveKind::AllGather, gather.getGridAxes(),
                         gather.getY()};
      })
      .Case([](ReduceScatterSequenceOp scatter) {
        return Described{tert::CollectiveKind::ReduceScatter,
                         scatter.getGridAxes(), scatter.getX()};
      })
      .Default([](Operation *) { return std::nullopt; });
}

bool CollectiveCosts::isCollective(Operation *op) const {
  std::optional<Described> described = describe(op);
  return described && isAlong(described->axes);
}

double CollectiveCosts::getSeconds(Operation *collective, double share) const {
  Described described = *describe(collective);
  GroupPlacement placement = placeGroup(
      mesh.getAxes(), int32_t(toAxisSet(described.axes)), cluster->hostSize);
  return te::getSeconds(described.kind,
                        share * getBytes(described.whole.getType()), placement,
                        *cluster->links);
}
