// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named points in the pipelines, at which a program that embeds the compiler
// adds passes of its own.

#ifndef TE_PIPELINES_PIPELINEEXTENSIONS_H
#define TE_PIPELINES_PIPELINEEXTENSIONS_H

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <utility>
#include <vector>

namespace mlir::te {

/// In the order in which the pipelines come to them. At all of them the pass
/// manager is one of the module; passes on functions are added with
/// addNestedPass<func::FuncOp>.
enum class PipelinePoint {
  /// buildGraphPipeline, behind te-raise: `@forward` on tensors, in te
  /// operations where these were recognised, before layers have names.
  AfterRaise,
  /// Entries with their loss, and with the shapes of one rank, before
  /// te-add-gradients. Operations that are added here are differentiated.
  BeforeGradients,
  /// Entries with gradients and updates, in the compute type, before it is
  /// decided which layers are FP8. With every precision.
  BeforePartition,
  /// Behind te-quantize and before te-fuse, in programs with FP8 alone.
  AfterQuantize,
  /// The end of buildGraphPipeline: the whole graph on tensors. Operations
  /// without RuntimeOpInterface are lowered here.
  BeforeRuntime,
  /// buildRuntimePipeline, before tert-plan-memory: runtime calls on buffers,
  /// each of them with a memref.alloc of its own.
  BeforeMemoryPlan
};

/// Passes to add at these points.
class PipelineExtensions {
public:
  using Callback = std::function<void(OpPassManager &)>;

  /// Callbacks of one point are called in the order in which they were added.
  void add(PipelinePoint point, Callback callback) {
    callbacks.emplace_back(point, std::move(callback));
  }

  void addPasses(PipelinePoint at, OpPassManager &pm) const {
    for (const auto &[point, callback] : callbacks)
      if (point == at)
        callback(pm);
  }

private:
  std::vector<std::pair<PipelinePoint, Callback>> callbacks;
};

} // namespace mlir::te

#endif // TE_PIPELINES_PIPELINEEXTENSIONS_H
