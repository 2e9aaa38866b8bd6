// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of collectives by the α–β model: a start, steps from neighbour to
// neighbour, and bytes over the slowest link on the way.

#ifndef TE_PLANNING_COLLECTIVETIME_H
#define TE_PLANNING_COLLECTIVETIME_H

#include "te/Dialect/TE/IR/CollectiveInterface.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Planning/Cluster.h"

namespace mlir::te {

/// The distribution of a group's ranks over hosts.
struct GroupPlacement {
  int64_t ranks = 1;
  /// Hosts with ranks of the group.
  int64_t hosts = 1;
  /// Ranks on the host that has the fewest of them, which is the number of
  /// adapters that serve it.
  int64_t fewest = 1;
};

/// For the ranks of a mesh that differ in `meshAxes` alone, row-major with the
/// last axis fastest, host after host: of all such groups the one on the most
/// hosts, and of those the one with the fewest ranks on one of them. It is the
/// last to finish.
GroupPlacement placeGroup(ArrayRef<MeshAxis> axes, int32_t meshAxes,
                          int64_t hostSize);

/// Bytes that a rank sends, and receives, in a group of `ranks`; `wholeBytes`
/// is B as defined by tert's CollectiveOpInterface. The least that any
/// algorithm sends.
///   all_reduce                  2 (n-1)/n B
///   all_gather, reduce_scatter    (n-1)/n B
///   reduce_scalars                  (n-1) B
double getSentBytes(CollectiveKind kind, double wholeBytes, int64_t ranks);

/// Seconds of a collective by the better of two algorithms; 0 for one rank.
///
/// Ring, n ranks on h hosts, k = 1 or, for all_reduce, 2 laps:
///   start + k (n-h) hop(host) + k (h-1) hop(network) + sent / bandwidth
/// Tree, with n/h ranks on a host: for all_reduce, and, where each host has
/// one rank, for all_gather and reduce_scatter (NCCL calls that PAT):
///   start + k ((n/h-1) hop(host) + ⌈log2 h⌉ hop(network)) + sent / bandwidth
/// On one host the ring's hops are n-1. The bandwidth is that within the host,
/// or of all adapters of the host with the fewest ranks where that is less.
/// Steps are those of NCCL's own model (src/graph/tuning.cc).
double getSeconds(CollectiveKind kind, double wholeBytes,
                  const GroupPlacement &placement, const Cluster::Links &links);

} // namespace mlir::te

#endif // TE_PLANNING_COLLECTIVETIME_H
