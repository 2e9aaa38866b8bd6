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

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::te;

/// Seconds that a byte which is kept is worth: what takes less to make again is
/// not kept. An H200 moves four bytes in that time.
static constexpr double kCheapPrice = 0.9e-12;

/// That, or 0 where nothing is made again for it or no times are known.
static double getCheapPrice(const GraphPipelineOptions &options) {
  const bool isCheap = options.recompute == Recomputation::Cheap ||
                       options.recompute == Recomputation::Copies;
  return isCheap && !options.costTarget.empty() ? kCheapPrice : 0;
}

/// Whether a mesh has ranks that share the layers of a model. What is wrong
/// with it, te-shard-model says.
static bool hasAxis(StringRef mesh, StringRef name) {
  return llvm::any_of(llvm::split(mesh, ','), [&](StringRef axis) {
    return axis.trim().split('=').first == name;
  });
}
static bool sharesModel(StringRef mesh) { return hasAxis(mesh, kTensorAxis); }

/// Merges linear layers, and decides what the forward pass keeps: behind
/// te-shard-model where ranks share the layers, so that it sees their shapes.
static void addForwardFusions(OpPassManager &pm,
                              const GraphPipelineOptions &options) {
  if (options.mergeLinears) {
    // What is measured are the layers of a training in FP8.
    const bool isMeasured = hasEntry(options.entries, &EntryKind::measures);
    const bool isFP8 = options.precision == ComputePrecision::FP8 || isMeasured;
    TEMergeLinearsOptions merge;
    // Products of one precision have nothing to be told.
    if (isFP8)
      merge.policy = options.policy;
    merge.separateRouters = isFP8;
    // Where nothing is updated, nothing is kept from step to step either.
    merge.separateFrozen =
        isMeasured ||
        (isFP8 && hasEntry(options.entries, &EntryKind::hasUpdates));
    pm.addNestedPass<func::FuncOp>(createTEMergeLinears(merge));
  }
  pm.addNestedPass<func::FuncOp>(createTEFuseElementwise());
}

/// `addBeforeGradients` adds what comes between the forward pass of an entry
/// and its gradients.
static void
buildEntryPipeline(OpPassManager &pm, const EntryOptions &options,
                   function_ref<void(OpPassManager &)> addBeforeGradients) {
  auto isAny = [&](bool EntryKind::*property) {
    return hasEntry(options.entries, property);
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
  // What is element by element says so as one op, which has a sharding rule.
  if (sharesModel(options.mesh))
    pm.addNestedPass<func::FuncOp>(createTEFuseElementwise());
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
  if (hasAxis(options.mesh, kExpertAxis)) {
    TEShardExpertsOptions experts;
    experts.mesh = options.mesh;
    experts.capacity = options.expertCapacity.value_or(0);
    pm.addPass(createTEShardExperts(experts));
  }
  addBeforeGradients(pm);
  if (isAny(&EntryKind::hasGradients)) {
    TEAddGradientsOptions gradients;
    gradients.constantInputs.assign(options.constantInputs.begin(),
                                    options.constantInputs.end());
    gradients.constantOutputs.assign(options.constantOutputs.begin(),
                                     options.constantOutputs.end());
    pm.addPass(createTEAddGradients(gradients));
  }
  if (isAny(&EntryKind::accumulates)) {
    TEAccumulateGradientsOptions accumulate;
    accumulate.type = options.gradientSums;
    pm.addPass(createTEAccumulateGradients(accumulate));
  }
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
    update.groups.assign(options.groups.begin(), options.groups.end());
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
  pm.addNestedPass<func::FuncOp>(createTEGatherLookups());
  // Twice: te-shard-states looks for updates that read the largest amaxes of
  // all ranks, and makes amaxes of parts of new weights, which nobody knew
  // before. One collective cannot be both in front of it and behind it.
  pm.addNestedPass<func::FuncOp>(createTEReduceAmaxes());
  // Before te-shard-states: shards of weights need not have the sizes that FP8
  // copies have, and are padded where they are gathered.
  if (options.precision == ComputePrecision::FP8)
    pm.addPass(createTEValidatePrecision());
  TEShardStatesOptions shard;
  shard.zero = options.zero.value_or(kDefaultZero);
  pm.addPass(createTEShardStates(shard));
  TEReduceAmaxesOptions weights;
  weights.ofUpdatedWeights = true;
  pm.addNestedPass<func::FuncOp>(createTEReduceAmaxes(weights));
  if (hasAxis(options.mesh, kContextAxis))
    pm.addNestedPass<func::FuncOp>(createTESplitLinears());
  if (sharesModel(options.mesh))
    pm.addNestedPass<func::FuncOp>(createTESplitScatters());
  // No pass behind it moves an op.
  pm.addNestedPass<func::FuncOp>(createTEScheduleCollectives());
}

/// Which layers are FP8, and their scales.
static void addQuantization(OpPassManager &pm,
                            const GraphPipelineOptions &options,
                            const PipelineExtensions &extensions) {
  TEPartitionOptions partition;
  partition.policy = options.policy;
  partition.fp8Eval = options.fp8Eval;
  partition.recipe = options.recipe;
  partition.all = options.fp8Layers == Fp8Layers::All;
  partition.memoryPrice = std::max(options.memoryPrice, getCheapPrice(options));
  partition.calibration = options.calibration;
  partition.quality = options.quality;
  pm.addPass(createTEPartition(partition));
  TEQuantizeOptions quantize;
  quantize.recipe = options.recipe;
  quantize.target = options.costTarget;
  pm.addPass(createTEQuantize(quantize));
  // Casts of weights that are now quantized from their masters are dead.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  extensions.addPasses(PipelinePoint::AfterQuantize, pm);
  if (sharesModel(options.mesh))
    pm.addNestedPass<func::FuncOp>(createTEGatherQuantized());
  if (hasAxis(options.mesh, kExpertAxis))
    pm.addNestedPass<func::FuncOp>(createTEExchangeQuantized());
}

void mlir::te::buildGraphPipeline(OpPassManager &pm,
                                  const GraphPipelineOptions &options,
                                  const PipelineExtensions &extensions) {
  const bool isFP8 = options.precision == ComputePrecision::FP8;
  // Functions that a model calls become part of it. Nothing else is changed.
  pm.addPass(createInlineCalls());
  pm.addPass(createTERaise());
  extensions.addPasses(PipelinePoint::AfterRaise, pm);
  pm.addPass(createTENameLayers());
  if (!options.costTarget.empty()) {
    TEAttachCostsOptions costs;
    costs.target = options.costTarget;
    costs.tuning = options.tuning;
    pm.addPass(createTEAttachCosts(costs));
  }
  if (!sharesModel(options.mesh))
    addForwardFusions(pm, options);
  auto groupExperts = [&](bool cached) {
    TEGroupExpertsOptions experts;
    experts.target = options.costTarget;
    experts.cached = cached;
    pm.addNestedPass<func::FuncOp>(createTEGroupExperts(experts));
  };
  ::buildEntryPipeline(pm, options, [&](OpPassManager &pm) {
    if (sharesModel(options.mesh))
      addForwardFusions(pm, options);
    groupExperts(/*cached=*/false);
    extensions.addPasses(PipelinePoint::BeforeGradients, pm);
  });
  pm.addNestedPass<func::FuncOp>(createCSEPass());

  if (options.precision != ComputePrecision::F32)
    pm.addNestedPass<func::FuncOp>(createTESetComputeType());
  if (options.masters == MasterType::BF16)
    pm.addPass(createTESetMasterType());
  if (options.boundary == BoundaryType::BF16)
    pm.addPass(createTESetBoundaryType());
  if (hasEntry(options.entries, &EntryKind::caches)) {
    pm.addPass(createTEAddKvCache());
    groupExperts(/*cached=*/true);
  }
  extensions.addPasses(PipelinePoint::BeforePartition, pm);
  if (hasEntry(options.entries, &EntryKind::measures)) {
    TEMeasureSensitivityOptions measure;
    measure.recipe = options.recipe;
    pm.addPass(createTEMeasureSensitivity(measure));
  }
  if (isFP8)
    addQuantization(pm, options, extensions);
  if (options.precision != ComputePrecision::F32) {
    pm.addNestedPass<func::FuncOp>(createTEFuse());
    pm.addNestedPass<func::FuncOp>(createCSEPass());
  }
  TEFuseLossOptions loss;
  if (options.logitsBytes)
    loss.maxBytes = *options.logitsBytes;
  pm.addNestedPass<func::FuncOp>(createTEFuseLoss(loss));
  if (sharesModel(options.mesh))
    pm.addNestedPass<func::FuncOp>(createTEExpandVocabulary());
  // What is scattered over ranks before it is added is not added by a product.
  if (hasEntry(options.entries, &EntryKind::accumulates) &&
      (options.mesh.empty() || options.zero.value_or(kDefaultZero) < 2))
    pm.addNestedPass<func::FuncOp>(createTEFuseAccumulators());
  if (!options.mesh.empty())
    addDistributionPasses(pm, options);
  // Of shards, where ranks hold shards.
  if (options.ema && hasEntry(options.entries, &EntryKind::hasUpdates)) {
    TEAverageParametersOptions average;
    average.decay = *options.ema;
    pm.addPass(createTEAverageParameters(average));
  }
  extensions.addPasses(PipelinePoint::BeforeRuntime, pm);
  // The graph as it is lowered, that of extensions included.
  if (isFP8 && options.mesh.empty())
    pm.addPass(createTEValidatePrecision());
  if (!options.mesh.empty())
    pm.addPass(createTEValidateSPMD());
  if (options.preparedWeights != PreparedWeights::None) {
    TEPrepareWeightsOptions prepare;
    prepare.parameters = options.preparedWeights;
    pm.addPass(createTEPrepareWeights(prepare));
  }
  const double price = getCheapPrice(options);
  if (options.recompute >= Recomputation::Activations || price > 0) {
    // Without operands that nothing reads: they would count as kept.
    pm.addNestedPass<func::FuncOp>(createTEFuseElementwise());
    TERecomputeOptions recompute;
    recompute.bytes = options.recomputeBytes;
    recompute.price = price;
    recompute.products = options.recompute == Recomputation::Layers;
    pm.addNestedPass<func::FuncOp>(createTERecompute(recompute));
  }
  // Behind all that decide by both passes what is FP8, kept or fused.
  if (hasEntry(options.entries, &EntryKind::separates)) {
    TESeparateBackwardOptions separate;
    separate.donatesSaved = options.saved == SavedValues::Overwritten;
    pm.addPass(createTESeparateBackward(separate));
  }
}

void mlir::te::buildBufferizePipeline(OpPassManager &pm) {
  pm.addPass(createTERTMaterializeResults());
  pm.addNestedPass<func::FuncOp>(createTERTSeparateReads());
  pm.addPass(createTERTOneShotBufferize());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createTERTLowerTransposes());
  function.addPass(createTERTForwardCopies());
  function.addPass(createTERTReuseInputs());
  // Afterwards a buffer has one name.
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(createTERTRemoveSelfCopies());
  function.addPass(createTERTJoinDimensions());
}

void mlir::te::buildRuntimePipeline(OpPassManager &pm,
                                    const RuntimePipelineOptions &options,
                                    const PipelineExtensions &extensions) {
  // Again: gradients and casts have brought more.
  pm.addNestedPass<func::FuncOp>(createTEFuseElementwise());
  pm.addPass(createTEToTERT());
  pm.addNestedPass<func::FuncOp>(createTERTQuantizeBlocks());
  buildBufferizePipeline(pm);
  pm.addPass(createTERTOutlineKernels());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createTERTFuseAdditions());
  function.addPass(createTERTJoinUpdates());
  function.addPass(createTERTBucketCollectives());
  if (options.recompute != Recomputation::None) {
    TERTRecomputeCopiesOptions recompute;
    // A bf16 matrix has two bytes for one of its copy.
    recompute.traffic = options.recompute >= Recomputation::Copies ? 2.5 : 0;
    function.addPass(createTERTRecomputeCopies(recompute));
  }
  function.addPass(createTERTQuantizeConcats());
  TERTSplitRowsOptions split;
  // Products of an eighth of the rows no longer fill a GPU well.
  split.maxParts = options.recompute >= Recomputation::Copies ? 8 : 4;
  function.addPass(createTERTSplitRows(split));
  function.addPass(createTERTReuseRows());
  function.addPass(createTERTAlignScales());
  function.addPass(createTERTEstablishLayouts());
  // Whatever chooses operands is done: their places do not change any more.
  function.addPass(createTERTGatherInPlace());
  function.addPass(createTERTAsyncCollectives());
  function.addPass(createTERTJoinCopies());
  extensions.addPasses(PipelinePoint::BeforeMemoryPlan, pm);
  TERTPlanMemoryOptions plan;
  plan.placesOutputs = options.outputs == OutputMemory::Arena;
  plan.placesGradients = options.outputs != OutputMemory::Caller;
  pm.addPass(createTERTPlanMemory(plan));
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
  GraphPipelineOptions graph = options.graph;
  graph.recompute = options.runtime.recompute;
  buildGraphPipeline(pm, graph);
  buildRuntimePipeline(pm, options.runtime);
  buildLLVMPipeline(pm, options.target);
}
