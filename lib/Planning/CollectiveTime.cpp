// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Planning/CollectiveTime.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

GroupPlacement mlir::te::placeGroup(ArrayRef<MeshAxis> axes, int32_t meshAxes,
                                    int64_t hostSize) {
  GroupPlacement placement;
  int64_t ranks = 1;
  for (auto [number, axis] : llvm::enumerate(axes)) {
    ranks *= axis.size;
    if (meshAxes >> number & 1)
      placement.ranks *= axis.size;
  }
  // A group is identified by its first rank; ranks of one host are consecutive.
  struct Spread {
    int64_t lastHost = -1, hosts = 0, onLast = 0;
    int64_t fewest = std::numeric_limits<int64_t>::max();
    void endHost() {
      if (hosts > 0)
        fewest = std::min(fewest, onLast);
    }
  };
  llvm::DenseMap<int64_t, Spread> groups;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    int64_t first = 0, stride = 1, rest = rank;
    for (size_t number = axes.size(); number-- > 0;) {
      if (!(meshAxes >> number & 1))
        first += rest % axes[number].size * stride;
      rest /= axes[number].size;
      stride *= axes[number].size;
    }
    Spread &group = groups[first];
    if (int64_t host = rank / hostSize; host != group.lastHost) {
      group.endHost();
      group.lastHost = host;
      group.onLast = 0;
      ++group.hosts;
    }
    ++group.onLast;
  }
  placement.hosts = 0;
  for (auto &[first, group] : groups) {
    group.endHost();
    if (group.hosts > placement.hosts) {
      placement.hosts = group.hosts;
      placement.fewest = group.fewest;
    } else if (group.hosts == placement.hosts) {
      placement.fewest = std::min(placement.fewest, group.fewest);
    }
  }
  return placement;
}

double mlir::te::getSentBytes(CollectiveKind kind, double wholeBytes,
                              int64_t ranks) {
  const double others = double(ranks - 1);
  switch (kind) {
  case CollectiveKind::AllReduce:
    return 2 * others / double(ranks) * wholeBytes;
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllGather:
  case CollectiveKind::AllToAll:
    return others / double(ranks) * wholeBytes;
  case CollectiveKind::ReduceScalars:
    return others * wholeBytes;
  }
  llvm_unreachable("all kinds are counted");
}

static double getBandwidth(const Link &link, CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllReduce:
    return link.allReduce;
  case CollectiveKind::ReduceScatter:
    return link.reduceScatter;
  case CollectiveKind::AllGather:
  case CollectiveKind::AllToAll: // not measured
  case CollectiveKind::ReduceScalars:
    return link.allGather;
  }
  llvm_unreachable("all kinds have a bandwidth");
}

double mlir::te::getSeconds(CollectiveKind kind, double wholeBytes,
                            const GroupPlacement &placement,
                            const Cluster::Links &links) {
  const auto [ranks, hosts, fewest] = placement;
  if (ranks <= 1)
    return 0;
  const double inHost = getBandwidth(links.host, kind);
  const double between = getBandwidth(links.network, kind) * double(fewest);
  double bandwidth = hosts == 1       ? inHost
                     : ranks == hosts ? between
                                      : std::min(inHost, between);
  const double laps = kind == CollectiveKind::AllReduce ? 2 : 1;
  auto latency = [&](double hostHops, double networkHops) {
    return laps * (hostHops * links.host.hopSeconds +
                   networkHops * links.network.hopSeconds);
  };
  double steps = latency(double(ranks - hosts), double(hosts - 1));
  const bool hasTree = kind == CollectiveKind::AllReduce || ranks == hosts;
  if (hasTree && hosts > 1)
    steps =
        std::min(steps, latency(double(llvm::divideCeil(ranks, hosts) - 1),
                                double(llvm::Log2_64_Ceil(uint64_t(hosts)))));
  return links.startSeconds + steps +
         getSentBytes(kind, wholeBytes, ranks) / bandwidth;
}
