// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory and time of a training step on each rank of a mesh, from its final
// program (docs/planning.md).

#ifndef TE_PLANNING_PLAN_H
#define TE_PLANNING_PLAN_H

#include "te/Planning/MemoryProfile.h"
#include "te/Planning/MemorySummary.h"
#include "te/Planning/Timeline.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::te {

/// Collectives of one entry that are alike.
struct CollectiveGroup {
  std::string entry;
  /// "dp", "dp, tp"
  std::string axes;
  /// One of them; seconds and overlap are means.
  Collective each;
  int64_t perCall = 0; ///< of the entry
  int64_t perStep = 0;
};

struct Plan {
  Cluster cluster;
  SmallVector<MeshAxis> axes;
  int64_t ranks = 1, hosts = 1;
  int64_t microbatches = 1;
  bool hasTimes = false;

  MemorySummary memory;
  /// Bytes of the entry that needs the most.
  int64_t bytes = 0;

  struct Entry {
    Timeline timeline;
    int64_t perStep = 0; ///< 0: not part of a training step
    MemoryProfile memory = {};
  };
  std::vector<Entry> entries;
  std::vector<CollectiveGroup> collectives;

  /// A program that was compiled to find one that fits into a given memory.
  struct Alternative {
    int64_t bytes = 0;
    double seconds = 0; ///< of a step
  };
  /// By ascending bytes and descending seconds; empty where times are unknown.
  std::vector<Alternative> alternatives;

  // For a step:
  int64_t tokens = 0; ///< on all ranks
  double flops = 0;   ///< of a rank
  double sentBytes = 0;
  // If times are known:
  double computeSeconds = 0, collectiveSeconds = 0, exposedSeconds = 0;
  double seconds = 0;

  double getTokensPerSecond() const { return double(tokens) / seconds; }
  /// Fraction of the device's peak for bf16.
  double getUtilization() const {
    return flops / seconds / cluster.device->peak;
  }
};

/// The plan of a module after tert-plan-memory and of its description. Without
/// a mesh it is that of one rank. Fails as computeTimeline and
/// computeMemoryProfile do.
FailureOr<Plan> makePlan(ModuleOp module, const llvm::json::Object &description,
                         CostModelAttrInterface costs, const Cluster &cluster,
                         int64_t microbatches);

/// The plan as JSON (docs/planning.md has the fields).
llvm::json::Object toJson(const Plan &plan);

} // namespace mlir::te

#endif // TE_PLANNING_PLAN_H
