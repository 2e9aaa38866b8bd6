// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the calls of a runtime program run: computation one after the other,
// exchanges that were begun beside it.

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

/// What calls take, on the devices and links of a cluster.
class TimeModel {
public:
  /// Without costs, or where the cluster has no device or no links, no times
  /// are known. Both must outlive the model.
  TimeModel(CostModelAttrInterface costs, const Cluster &cluster);

  bool isKnown() const { return costs && cluster.device && cluster.links; }
  const Cluster &getCluster() const { return cluster; }
  /// Of a kernel: what the cost model says, longer by as much as the cluster's
  /// device multiplies or copies more slowly than the one the model is of.
  std::optional<double> getSeconds(const Work &work) const;

private:
  CostModelAttrInterface costs;
  const Cluster &cluster;
  double copyScale = 1, productScale = 1;
};

/// One exchange of a program.
struct Exchange {
  tert::CollectiveKind kind;
  int32_t meshAxes = 0; ///< bit a for the mesh's axis a
  int64_t ranks = 1;    ///< of a group
  int64_t tensors = 0;
  std::string dtypes; ///< "f32", "bf16, f8E4M3FN"
  /// Of what is exchanged, as CollectiveOpInterface has it, and what a rank
  /// sends of it, and receives.
  double wholeBytes = 0, sentBytes = 0;
  /// Computation runs beside it, until something needs what it brings.
  bool isBegun = false;
  /// The calls that compute between its begin and the wait for it.
  int64_t callsBeside = 0;

  // Where times are known:
  double secondsBeside = 0; ///< of those calls
  double seconds = 0;
  /// Of `seconds`, what computation waits for; the rest is hidden.
  double exposedSeconds = 0;
};

/// What an entry does, each exchange in the order of the program.
struct Timeline {
  std::string entry;
  std::vector<Exchange> exchanges;
  /// Of matrix products, as the program does them; a causal attention's are
  /// those of the keys that queries see.
  double flops = 0;
  int64_t calls = 0; ///< that compute

  // Where times are known:
  double computeSeconds = 0; ///< of the calls, if each ran alone
  double seconds = 0;        ///< of everything, waits included
};

/// Runs the function, of runtime calls in one block, by the model. A call that
/// begins an exchange puts it behind those of the same axes that were begun
/// before; tert.await waits for the ones that are about its tensors and those
/// before them; any other exchange is waited for at once, and what runs along
/// its axes in the background stands still for as long. While something runs in
/// the background, computation takes the longer by the links' interference.
///
/// Fails, with an error, for an exchange without CollectiveOpInterface and for
/// one along axes that `axes`, the mesh, does not have.
FailureOr<Timeline> computeTimeline(func::FuncOp function,
                                    ArrayRef<MeshAxis> axes,
                                    const TimeModel &model);

} // namespace mlir::te

#endif // TE_PLANNING_TIMELINE_H
