// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates the calls of a runtime program: computation in sequence, overlapped
// by asynchronous collectives.

#ifndef TE_PLANNING_TIMELINE_H
#define TE_PLANNING_TIMELINE_H

#include "te/Dialect/TE/IR/TE.h"
#include "te/Planning/CollectiveTime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::te {

/// The times of calls on the devices and links of a cluster.
class TimeModel {
public:
  /// Without costs, or if the cluster has no device or no links, no times are
  /// known. Both must outlive the model.
  TimeModel(CostModelAttrInterface costs, const Cluster &cluster);

  bool isKnown() const { return costs && cluster.device && cluster.links; }
  const Cluster &getCluster() const { return cluster; }
  /// The cost model's time of a kernel, scaled by the ratio of the model's
  /// device to the cluster's in FLOP/s or bandwidth.
  std::optional<double> getSeconds(const Work &work) const;

private:
  CostModelAttrInterface costs;
  const Cluster &cluster;
  double copyScale = 1, productScale = 1;
};

/// One collective of a program.
struct Collective {
  CollectiveKind kind;
  int32_t meshAxes = 0; ///< bit a for the mesh's axis a
  int64_t ranks = 1;    ///< in the group
  int64_t tensors = 0;
  std::string dtypes; ///< "f32", "bf16, f8E4M3FN"
  /// Bytes exchanged, as defined by CollectiveOpInterface, and those that a
  /// rank sends, and receives.
  double wholeBytes = 0, sentBytes = 0;
  /// Asynchronous: overlaps computation until its results are needed.
  bool isAsync = false;
  /// The calls that compute between its start and the wait for it.
  int64_t overlappedCalls = 0;

  // If times are known:
  double overlappedSeconds = 0; ///< of those calls
  double seconds = 0;
  /// The part of `seconds` that computation waits for; the rest is hidden.
  double exposedSeconds = 0;
};

/// The simulated execution of an entry, with collectives in program order.
struct Timeline {
  std::string entry;
  std::vector<Collective> collectives;
  /// FLOPs of matrix products, as executed; a causal attention's are those of
  /// the keys that queries see.
  double flops = 0;
  int64_t calls = 0; ///< that compute

  // If times are known:
  double computeSeconds = 0; ///< of the calls, if each ran alone
  double seconds = 0;        ///< of everything, waits included
};

/// Simulates the function, of runtime calls in one block, with the model. A
/// call that starts a collective queues it after those of the same axes that
/// were started before; tert.await waits for the collectives on its tensors and
/// those before them; any other collective is awaited at once, and pauses those
/// in the background along its axes. While a collective runs in the background,
/// computation is slowed by the links' interference.
///
/// Fails, with an error, for a collective without CollectiveOpInterface and for
/// one along axes that `axes`, the mesh, does not have.
FailureOr<Timeline> computeTimeline(func::FuncOp function,
                                    ArrayRef<MeshAxis> axes,
                                    const TimeModel &model);

} // namespace mlir::te

#endif // TE_PLANNING_TIMELINE_H
