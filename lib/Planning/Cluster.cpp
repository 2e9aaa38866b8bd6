// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The predefined clusters.

#include "te/Planning/Cluster.h"

#include "llvm/ADT/STLExtras.h"

#include <array>

using namespace mlir;
using namespace mlir::te;

/// NCCL 2.28.9 between two H200s of one host, without multicast: straight-line
/// fits to the times of all_reduce, all_gather and reduce_scatter of 4 KiB to 1
/// GiB (docs/planning.md has the figures and the errors of the fits). `share`
/// is the ratio of another link's bandwidth to that of NVLink 4.
static Link getNVLink(double share) {
  return {1.6e-6, 295e9 * share, 236e9 * share, 237e9 * share};
}

/// An adapter of the given Gbit/s for each device. Not measured: 92 % of the
/// line rate, and the step times of NCCL's protocol for large messages in its
/// own model (src/graph/tuning.cc: 2.7 to 14 us).
static Link getAdapter(double gigabits) {
  const double bytes = 0.92 * gigabits / 8 * 1e9;
  return {10e-6, bytes, bytes, bytes};
}

/// A collective of 256 MiB that takes 0.94 ms alone slowed overlapped products
/// from 2.93 to 3.36 ms.
static Cluster::Links getLinks(double nvlinkShare, double gigabits) {
  return {10e-6, (3.36 - 2.93) / 0.94, getNVLink(nvlinkShare),
          getAdapter(gigabits)};
}

static constexpr double kGiB = 1 << 30;

/// Peaks are those of the data sheets, without sparsity. The bandwidth of
/// copies was measured on an H200 (4.01 TB/s of 4.8) and an H100 (3.0 of 3.35);
/// for an A100 it is the H200's fraction.
static ArrayRef<Cluster> getClusters() {
  static const std::array<Cluster, 3> clusters = {
      {{"h100-8x400g", "sm_90", 8,
        Cluster::Device{"NVIDIA H100 80GB HBM3", 78 * kGiB, 989.4e12, 3.0e12},
        getLinks(1, 400)},
       {"h200-8x400g", "sm_90", 8,
        Cluster::Device{"NVIDIA H200", 139 * kGiB, 989.4e12, 4.01e12},
        getLinks(1, 400)},
       {"a100-8x200g", "sm_90", 8,
        Cluster::Device{"NVIDIA A100 80GB", 78 * kGiB, 312e12,
                        2.039e12 * 4.01 / 4.8},
        getLinks(600.0 / 900, 200)}}};
  return clusters;
}

const Cluster *mlir::te::findCluster(StringRef name) {
  auto found = llvm::find_if(getClusters(), [&](const Cluster &cluster) {
    return cluster.name == name;
  });
  return found == getClusters().end() ? nullptr : found;
}

const Cluster &mlir::te::getReferenceCluster() {
  return *findCluster("h200-8x400g");
}

std::string mlir::te::listClusters() {
  std::string list;
  for (const Cluster &cluster : getClusters())
    list += (list.empty() ? "" : ", ") + cluster.name;
  return list;
}
