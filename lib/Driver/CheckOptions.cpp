// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckOptions.h"

#include "Errors.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/Transforms/Distribution/ShardRules.h"
#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult mlir::te::checkMicrobatches(CompileOptions &options,
                                          MLIRContext &context) {
  std::vector<std::string> &entries = options.graph.entries;
  const bool hasTrain = llvm::is_contained(entries, "train");
  const bool accumulates = llvm::is_contained(entries, "accumulate");
  if (!hasTrain && (accumulates || options.microbatches))
    return error(context)
           << (accumulates ? "--entry=accumulate" : "--microbatches")
           << " goes with the entry train, which ends the step whose "
              "gradients are summed; add it to --entry";
  if (accumulates && !options.microbatches)
    options.microbatches = 1;
  if (options.microbatches && !accumulates)
    entries.push_back("accumulate");
  if (options.graph.gradientSums != GradientSums::F32 && !options.microbatches)
    return error(context)
           << "--gradient-sums is about sums over microbatches; add "
              "--microbatches";
  return success();
}

LogicalResult mlir::te::checkMesh(CompileOptions &options,
                                  MLIRContext &context) {
  GraphPipelineOptions &graph = options.graph;
  if (graph.zero && *graph.zero > 3)
    return error(context) << "--zero=" << *graph.zero
                          << " is no level; use 0, 1, 2 or 3";
  FailureOr<SmallVector<MeshAxis>> axes = SmallVector<MeshAxis>();
  if (!graph.mesh.empty())
    axes = parseMesh(graph.mesh, UnknownLoc::get(&context));
  if (failed(axes) || failed(parseShardRules(graph.shard, graph.mesh,
                                             UnknownLoc::get(&context))))
    return failure();
  bool hasData = llvm::any_of(
      *axes, [](const MeshAxis &axis) { return axis.name == kDataAxis; });
  if (graph.zero && !hasData)
    return error(context) << "--zero=" << *graph.zero
                          << " is about data parallel ranks, but there are "
                             "none; add --mesh=dp=R";
  if (graph.expertCapacity && llvm::none_of(*axes, [](const MeshAxis &axis) {
        return axis.name == kExpertAxis;
      }))
    return error(context)
           << "--expert-capacity="
           << llvm::formatv("{0:f2}", *graph.expertCapacity).str()
           << " is about ranks along ep, but there are none; add --mesh=ep=R";
  if (graph.mesh.empty())
    return success();
  if (hasEntry(graph.entries, &EntryKind::measures))
    return error(context)
           << "--entry=calibrate does not go with --mesh=" << graph.mesh
           << ": sensitivity is measured on one rank; compile it "
              "without --mesh, its names are the same";
  // Ranks along other axes than dp share what any entry computes.
  if (llvm::all_of(
          *axes, [](const MeshAxis &axis) { return axis.name == kDataAxis; }) &&
      !hasEntry(graph.entries, &EntryKind::hasUpdates))
    return error(context) << "--mesh=" << graph.mesh
                          << " has no effect without --entry=train: what other "
                             "entries compute "
                             "is of one rank's batch; leave it out";
  return success();
}

LogicalResult mlir::te::checkBoundary(const CompileOptions &options,
                                      MLIRContext &context) {
  if (options.graph.boundary == BoundaryType::F32)
    return success();
  if (llvm::is_contained(options.graph.entries, "train"))
    return error(context)
           << "--boundary=bf16 does not go with --entry=train: the "
              "parameters are the optimizer's masters and stay f32; leave "
              "--boundary out, or compile --entry=grad, vjp or forward";
  if (hasEntry(options.graph.entries, &EntryKind::measures))
    return error(context) << "--boundary=bf16 does not go with "
                             "--entry=calibrate, whose figures are f32; leave "
                             "--boundary out";
  if (options.graph.precision == ComputePrecision::F32)
    return error(context)
           << "--boundary=bf16 does not go with --precision=f32, which "
              "computes what a framework does without rounding; use "
              "--precision=bf16 or fp8";
  return success();
}

LogicalResult mlir::te::checkMasters(const CompileOptions &options,
                                     MLIRContext &context) {
  const GraphPipelineOptions &graph = options.graph;
  if (graph.masters == MasterType::F32)
    return success();
  if (!hasEntry(graph.entries, &EntryKind::hasUpdates))
    return error(context) << "--masters=bf16 is about parameters that train "
                             "changes; add the entry train";
  if (graph.precision == ComputePrecision::F32)
    return error(context)
           << "--masters=bf16 does not go with --precision=f32, which "
              "computes what a framework does without rounding; use "
              "--precision=bf16 or fp8";
  return success();
}

LogicalResult mlir::te::checkCalibration(const CompileOptions &options,
                                         MLIRContext &context) {
  const GraphPipelineOptions &graph = options.graph;
  if (graph.calibration.empty() && graph.quality.empty())
    return success();
  if (graph.calibration.empty())
    return error(context)
           << "--quality is what FP8 may add to a measured loss; "
              "add --calibration=FILE, of 'te-run calibrate'";
  if (graph.quality.empty())
    return error(context) << "--calibration chooses layers by --quality, what "
                             "FP8 may add to the loss; add it, such as "
                             "--quality=0.1%";
  if (graph.precision != ComputePrecision::FP8)
    return error(context) << "--calibration is of no use without "
                             "--precision=fp8; leave it and --quality out";
  return success();
}
