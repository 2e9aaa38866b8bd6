// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Pipelines/Pipelines.h"

#include "te/Conversion/Passes.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TE/Transforms/Raise/InlineCalls.h"
#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::te;

/// Whether one of the entries is of a kind with this property.
static bool hasEntry(const EntryOptions &options, bool EntryKind::*property) {
  return llvm::any_of(options.entries, [&](StringRef name) {
    const EntryKind *kind = findEntryKind(name);
    return kind && kind->*property;
  });
}

/// Whether a mesh has ranks that share the layers of a model. What is wrong
/// with it, te-shard-model says.
static bool hasAxis(StringRef mesh, StringRef name) {
  return llvm::any_of(llvm::split(mesh, ','), [&](StringRef axis) {
    return axis.trim().split('=').first == name;
  });
}
static bool sharesModel(StringRef mesh) { return hasAxis(mesh, kTensorAxis); }

/// `addOnLocalShapes` adds what decides by the shapes of layers.
static void
buildEntryPipeline(OpPassManager &pm, const EntryOptions &options,
                   function_ref<void(OpPassManager &)> addOnLocalShapes) {
  auto isAny = [&](bool EntryKind::*property) {
    return hasEntry(options, property);
  };
  TEBuildEntriesOptions build;
  build.entries.assign(options.entries.begin(), options.entries.end());
  pm.addPass(createTEBuildEntries(build));
  if (isAny(&EntryKind::hasLoss)) {
    TEAddLossOptions loss;
    loss.loss = options.loss;
    loss.logits = options.logits;
    loss.lateDivision = !options.mesh.empty();
    pm.addPass(createTEAddLoss(loss));
  }
  // What is element by element says so as one op, which has a rule.
  if (sharesModel(options.mesh))
    pm.addPass(createTEFuseElementwise());
  if (hasAxis(options.mesh, kContextAxis)) {
    TEShardSequencesOptions sequences;
    sequences.mesh = options.mesh;
    pm.addPass(createTEShardSequences(sequences));
  }
  // Without ranks along tp it refuses what is said about them.
  if (sharesModel(options.mesh) || !options.shard.empty()) {
    TEShardModelOptions model;
    model.mesh = options.mesh;
    model.shard.assign(options.shard.begin(), options.shard.end());
    pm.addPass(createTEShardModel(model));
  }
  if (sharesModel(options.mesh))
    addOnLocalShapes(pm);
  if (isAny(&EntryKind::hasGradients))
    pm.addPass(createTEAddGradients());
  if (isAny(&EntryKind::accumulates))
    pm.addPass(createTEAccumulateGradients());
  if (!options.mesh.empty()) {
    TEParallelizeOptions parallelize;
    parallelize.mesh = options.mesh;
    pm.addPass(createTEParallelize(parallelize));
  }
  if (isAny(&EntryKind::hasUpdates)) {
    TEClipGradientsOptions clip;
    clip.maxGradNorm = options.maxGradNorm;
    pm.addPass(createTEClipGradients(clip));
    TEUpdateParametersOptions update;
    update.optimizer = options.optimizer;
    pm.addPass(createTEUpdateParameters(update));
  }
}

void mlir::te::buildEntryPipeline(OpPassManager &pm,
                                  const EntryOptions &options) {
  ::buildEntryPipeline(pm, options, [](OpPassManager &) {});
}

/// Of programs for many ranks, when all that they exchange is known.
static void addDistributionPasses(OpPassManager &pm,
                                  const GraphPipelineOptions &options) {
  if (options.mesh.empty())
    return;
  pm.addPass(createTEGatherLookups());
  pm.addPass(createTEReduceAmaxes());
  // Before weights are quantized in parts.
  if (options.precision == ComputePrecision::FP8)
    pm.addPass(createTEValidatePrecision());
  TEShardStatesOptions shard;
  shard.zero = options.zero.value_or(kDefaultZero);
  pm.addPass(createTEShardStates(shard));
  TEReduceAmaxesOptions weights;
  weights.ofUpdatedWeights = true;
  pm.addPass(createTEReduceAmaxes(weights));
  const bool sharesSequences = hasAxis(options.mesh, kContextAxis);
  if (sharesSequences)
    pm.addPass(createTESplitLinears());
  if (sharesModel(options.mesh))
    pm.addPass(createTESplitScatters());
  pm.addPass(createTEScheduleExchanges());
  pm.addPass(createTEValidateSPMD());
}

void mlir::te::buildGraphPipeline(OpPassManager &pm,
                                  const GraphPipelineOptions &options) {
  // Functions that a model calls become part of it. Nothing else is changed.
  pm.addPass(createInlineCalls());
  pm.addPass(createTERaise());
  pm.addPass(createTENameLayers());
  if (!options.costTarget.empty()) {
    TEAttachCostsOptions costs;
    costs.target = options.costTarget;
    costs.tuning = options.tuning;
    pm.addPass(createTEAttachCosts(costs));
  }
  auto addOnLocalShapes = [&](OpPassManager &pm) {
    TEMergeLinearsOptions merge;
    merge.precision = options.precision;
    merge.boundary = options.boundary;
    merge.entries.assign(options.entries.begin(), options.entries.end());
    merge.optimizer = options.optimizer;
    merge.recipe = options.recipe;
    merge.policy = options.policy;
    pm.addPass(createTEMergeLinears(merge));
    pm.addPass(createTEFuseElementwise());
  };
  // Shapes are those of the model unless ranks share it.
  if (!sharesModel(options.mesh))
    addOnLocalShapes(pm);

  ::buildEntryPipeline(pm, options, addOnLocalShapes);
  pm.addPass(createCSEPass());

  if (options.precision != ComputePrecision::F32)
    pm.addPass(createTESetComputeType());
  if (options.boundary == BoundaryType::BF16)
    pm.addPass(createTESetBoundaryType());
  // What is scattered over ranks before it is added is not added by a product.
  const bool accumulates =
      hasEntry(options, &EntryKind::accumulates) &&
      (options.mesh.empty() || options.zero.value_or(kDefaultZero) < 2);
  auto addLossPasses = [&] {
    pm.addPass(createTEFuseLoss());
    if (sharesModel(options.mesh))
      pm.addPass(createTEExpandVocabulary());
  };
  if (options.precision == ComputePrecision::F32) {
    addLossPasses();
    if (accumulates)
      pm.addPass(createTEFuseAccumulators());
    addDistributionPasses(pm, options);
    return;
  }
  if (options.precision == ComputePrecision::FP8) {
    TEPartitionOptions partition;
    partition.policy = options.policy;
    pm.addPass(createTEPartition(partition));
    TEQuantizeOptions quantize;
    quantize.recipe = options.recipe;
    pm.addPass(createTEQuantize(quantize));
    // Casts of weights that are now quantized from their masters are dead.
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createTEValidatePrecision());
    if (sharesModel(options.mesh))
      pm.addPass(createTEGatherQuantized());
  }
  pm.addPass(createTEFuse());
  pm.addPass(createCSEPass());
  addLossPasses();
  if (accumulates)
    pm.addPass(createTEFuseAccumulators());
  addDistributionPasses(pm, options);
  if (options.precision == ComputePrecision::FP8 && options.mesh.empty())
    pm.addPass(createTEValidatePrecision());
}

void mlir::te::buildRuntimePipeline(OpPassManager &pm,
                                    const RuntimePipelineOptions &options) {
  // Gradients and casts have brought more.
  pm.addPass(createTEFuseElementwise());
  pm.addPass(createTEToTERT());
  pm.addPass(createTERTBufferize());
  pm.addPass(createTERTOutlineKernels());
  pm.addPass(createTERTFuseAdditions());
  pm.addPass(createTERTJoinUpdates());
  if (options.recompute != Recomputation::None) {
    TERTRecomputeCopiesOptions recompute;
    // A bf16 matrix has two bytes for one of its copy.
    recompute.traffic = options.recompute == Recomputation::Copies ? 2.5 : 0;
    pm.addPass(createTERTRecomputeCopies(recompute));
  }
  pm.addPass(createTERTQuantizeParts());
  TERTSplitRowsOptions split;
  // Products of an eighth of the rows no longer fill a GPU well.
  split.maxParts = options.recompute == Recomputation::Copies ? 8 : 4;
  pm.addPass(createTERTSplitRows(split));
  pm.addPass(createTERTReuseRows());
  pm.addPass(createTERTAlignScales());
  pm.addPass(createTERTEstablishLayouts());
  pm.addPass(createTERTPlaceParts());
  pm.addPass(createTERTOverlapExchanges());
  pm.addPass(createTERTJoinCopies());
  pm.addPass(createTERTPlanMemory());
}

void mlir::te::buildLLVMPipeline(OpPassManager &pm, StringRef target) {
  TEKernelsToLLVMOptions kernels;
  kernels.target = target.str();
  pm.addPass(createTEKernelsToLLVM(kernels));
  TEKernelsToImageOptions image;
  image.target = target.str();
  pm.addPass(createTEKernelsToImage(image));
  pm.addPass(createTERTToLLVM());
}

void mlir::te::buildTrainPipeline(OpPassManager &pm,
                                  const TrainPipelineOptions &options) {
  buildGraphPipeline(pm, options.graph);
  buildRuntimePipeline(pm, options.runtime);
  buildLLVMPipeline(pm, options.target);
}
