// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines that a program is planned for: devices, hosts, and the links between
// them.

#ifndef TE_PLANNING_CLUSTER_H
#define TE_PLANNING_CLUSTER_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::te {

/// What carries data from one device to its neighbour in a ring.
struct Link {
  /// Seconds that a step to the neighbour takes besides its bytes.
  double hopSeconds = 0;
  /// Bytes per second that a device sends while it receives as many, in each of
  /// the collectives.
  double allReduce = 0, allGather = 0, reduceScatter = 0;
};

struct Cluster {
  std::string name;
  /// The target whose cost model says what kernels take.
  std::string target;
  /// Devices of a host; ranks fill one host after the other.
  int64_t hostSize = 1;

  struct Device {
    std::string name;
    /// Bytes of memory that a program can have.
    double memory = 0;
    /// Multiplications and additions of dense bf16 products a second, by the
    /// data sheet: what utilization is a share of.
    double peak = 0;
    /// Bytes per second, read and written, that a copy attains.
    double copies = 0;
  };
  /// Nothing where no times are known.
  std::optional<Device> device;

  struct Links {
    /// Seconds of any collective besides its hops and bytes.
    double startSeconds = 0;
    /// Part of an exchange's time that it takes from the computation beside it.
    double interference = 0;
    Link host;    ///< within a host
    Link network; ///< between hosts, by a device's own adapter
  };
  /// Nothing where no times are known.
  std::optional<Links> links;
};

/// "h100-8x400g, h200-8x400g, …"
std::string listClusters();

/// The cluster that `--cluster` names: predefined ones and JSON files
/// (docs/planning.md) with commas between them; what a later one says takes the
/// place of what the others did. Fails with an error at `loc`.
FailureOr<Cluster> readCluster(llvm::StringRef namesAndFiles, Location loc);

/// Changes what the text of a JSON file, which may hold anything, says; `file`
/// is for messages. On failure the cluster is half changed.
LogicalResult applyClusterText(Cluster &cluster, llvm::StringRef text,
                               llvm::StringRef file, Location loc);

/// Null when no predefined cluster has that name.
const Cluster *findCluster(llvm::StringRef name);

/// The predefined cluster whose devices and links were measured: cost models
/// are of its devices.
const Cluster &getReferenceCluster();

} // namespace mlir::te

#endif // TE_PLANNING_CLUSTER_H
