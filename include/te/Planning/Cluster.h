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

/// A link between one device and its neighbour in a ring.
struct Link {
  /// Seconds of a step to the neighbour besides its bytes.
  double hopSeconds = 0;
  /// Bytes per second that a device sends while it receives as many, in each of
  /// the collectives.
  double allReduce = 0, allGather = 0, reduceScatter = 0;
};

struct Cluster {
  std::string name;
  /// The target whose cost model gives kernel times.
  std::string target;
  /// Devices of a host; ranks fill one host after the other.
  int64_t hostSize = 1;

  struct Device {
    std::string name;
    /// Bytes of memory available to a program.
    double memory = 0;
    /// FLOP/s of dense bf16 products, by the data sheet: the reference of
    /// utilization.
    double peak = 0;
    /// Bytes per second, read and written, that a copy attains.
    double copies = 0;
  };
  /// nullopt if no times are known.
  std::optional<Device> device;

  struct Links {
    /// Seconds of any collective besides its hops and bytes.
    double startSeconds = 0;
    /// Fraction of a collective's time by which it slows overlapped
    /// computation.
    double interference = 0;
    Link host;    ///< within a host
    Link network; ///< between hosts, by a device's own adapter
  };
  /// nullopt if no times are known.
  std::optional<Links> links;
};

/// "h100-8x400g, h200-8x400g, …"
std::string listClusters();

/// The cluster of the option `--cluster`: predefined ones and JSON files
/// (docs/planning.md) separated by commas; later ones override fields of
/// earlier ones. Fails with an error at `loc`.
FailureOr<Cluster> readCluster(llvm::StringRef namesAndFiles, Location loc);

/// Applies the text of an untrusted JSON file; `file` is for messages. On
/// failure the cluster is partly changed.
LogicalResult applyClusterText(Cluster &cluster, llvm::StringRef text,
                               llvm::StringRef file, Location loc);

/// Null if no predefined cluster has that name.
const Cluster *findCluster(llvm::StringRef name);

/// The predefined cluster whose devices and links were measured: cost models
/// are of its devices.
const Cluster &getReferenceCluster();

} // namespace mlir::te

#endif // TE_PLANNING_CLUSTER_H
