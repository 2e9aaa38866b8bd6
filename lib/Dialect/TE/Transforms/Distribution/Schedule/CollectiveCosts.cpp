// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Schedule/CollectiveCosts.h"

#include "Distribution/Sharding/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/CollectiveInterface.h"
#include "te/Planning/CollectiveTime.h"

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

/// The collective of shards that `op` is, or null.
static CollectiveOpInterface getShardCollective(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  return collective &&
                 collective.getCollectiveKind() != CollectiveKind::AllReduce
             ? collective
             : CollectiveOpInterface();
}

bool CollectiveCosts::isCollective(Operation *op) const {
  CollectiveOpInterface collective = getShardCollective(op);
  return collective && (AxisSet(collective.getMeshAxes()) & toAxisSet(axes));
}

double CollectiveCosts::getSeconds(Operation *op, double share) const {
  CollectiveOpInterface collective = getShardCollective(op);
  double bytes = 0;
  for (ShapedType whole : collective.getWholes())
    bytes += getBytes(whole);
  return te::getSeconds(
      collective.getCollectiveKind(), share * bytes,
      placeGroup(mesh.getAxes(), collective.getMeshAxes(), cluster->hostSize),
      *cluster->links);
}
