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
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
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

/// Merges linear layers, and decides what the forward pass keeps: behind
/// te-shard-model where ranks share the layers, so that it sees their shapes.
static void addForwardFusions(OpPassManager &pm,
                              const GraphPipelineOptions &options) {
  if (options.mergeLinears) {
    const bool isFP8 = options.precision == ComputePrecision::FP8;
    TEMergeLinearsOptions merge;
    // Products of one precision have nothing to be told.
    if (isFP8)
      merge.policy = options.policy;
    // Where nothing is updated, nothing is kept from step to step either.
    merge.separateFrozen = isFP8 && hasEntry(options, &EntryKind::hasUpdates);
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
  addBeforeGradients(pm);
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
  pm.addNestedPass<func::FuncOp>(createTEGatherLookups());
  // Twice: te-shard-states looks for updates that read the largest amaxes of
  // all ranks, and makes amaxes of parts of new weights, which nobody knew
  // before. One exchange cannot be both in front of it and behind it.
  pm.addNestedPass<func::FuncOp>(createTEReduceAmaxes());
  TEShardStatesOptions shard;
  shard.zero = options.zero;
  pm.addPass(createTEShardStates(shard));
  TEReduceAmaxesOptions weights;
  weights.ofUpdatedWeights = true;
  pm.addNestedPass<func::FuncOp>(createTEReduceAmaxes(weights));
  if (hasAxis(options.mesh, kContextAxis))
    pm.addNestedPass<func::FuncOp>(createTESplitLinears());
  if (sharesModel(options.mesh))
    pm.addNestedPass<func::FuncOp>(createTESplitScatters());
  // No pass behind it moves an op.
  pm.addNestedPass<func::FuncOp>(createTEScheduleExchanges());
}

/// Which layers are FP8, and their scales.
static void addQuantization(OpPassManager &pm,
                            const GraphPipelineOptions &options,
                            const PipelineExtensions &extensions) {
  TEPartitionOptions partition;
  partition.policy = options.policy;
  pm.addPass(createTEPartition(partition));
  TEQuantizeOptions quantize;
  quantize.recipe = options.recipe;
  pm.addPass(createTEQuantize(quantize));
  // Casts of weights that are now quantized from their masters are dead.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  extensions.addPasses(PipelinePoint::AfterQuantize, pm);
  if (sharesModel(options.mesh))
    pm.addNestedPass<func::FuncOp>(createTEGatherQuantized());
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
  ::buildEntryPipeline(pm, options, [&](OpPassManager &pm) {
    if (sharesModel(options.mesh))
      addForwardFusions(pm, options);
    extensions.addPasses(PipelinePoint::BeforeGradients, pm);
  });
  pm.addNestedPass<func::FuncOp>(createCSEPass());

  if (options.precision != ComputePrecision::F32)
    pm.addNestedPass<func::FuncOp>(createTESetComputeType());
  if (options.boundary == BoundaryType::BF16)
    pm.addPass(createTESetBoundaryType());
  extensions.addPasses(PipelinePoint::BeforePartition, pm);
  if (isFP8)
    addQuantization(pm, options, extensions);
  if (options.precision != ComputePrecision::F32) {
    pm.addNestedPass<func::FuncOp>(createTEFuse());
    pm.addNestedPass<func::FuncOp>(createCSEPass());
  }
  pm.addNestedPass<func::FuncOp>(createTEFuseLoss());
  if (sharesModel(options.mesh))
    pm.addNestedPass<func::FuncOp>(createTEExpandVocabulary());
  // What is scattered over ranks before it is added is not added by a product.
  if (hasEntry(options, &EntryKind::accumulates) &&
      (options.mesh.empty() || options.zero < 2))
    pm.addNestedPass<func::FuncOp>(createTEFuseAccumulators());
  if (!options.mesh.empty())
    addDistributionPasses(pm, options);
  extensions.addPasses(PipelinePoint::BeforeRuntime, pm);
  // The graph as it is lowered, that of extensions included.
  if (isFP8)
    pm.addPass(createTEValidatePrecision());
  if (!options.mesh.empty())
    pm.addPass(createTEValidateSPMD());
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
  buildBufferizePipeline(pm);
  pm.addPass(createTERTOutlineKernels());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createTERTFuseAdditions());
  function.addPass(createTERTJoinUpdates());
  if (options.recompute != Recomputation::None) {
    TERTRecomputeCopiesOptions recompute;
    // A bf16 matrix has two bytes for one of its copy.
    recompute.traffic = options.recompute == Recomputation::Copies ? 2.5 : 0;
    function.addPass(createTERTRecomputeCopies(recompute));
  }
  function.addPass(createTERTQuantizeParts());
  TERTSplitRowsOptions split;
  // Products of an eighth of the rows no longer fill a GPU well.
  split.maxParts = options.recompute == Recomputation::Copies ? 8 : 4;
  function.addPass(createTERTSplitRows(split));
  function.addPass(createTERTReuseRows());
  function.addPass(createTERTAlignScales());
  function.addPass(createTERTEstablishLayouts());
  // Whatever chooses operands is done: their places do not change any more.
  function.addPass(createTERTPlaceParts());
  function.addPass(createTERTOverlapExchanges());
  function.addPass(createTERTJoinCopies());
  extensions.addPasses(PipelinePoint::BeforeMemoryPlan, pm);
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

namespace {
/// EntryOptions as te-opt reads them.
template <typename Flags> struct EntryFlags : PassPipelineOptions<Flags> {
  template <typename T>
  using Option = typename PassPipelineOptions<Flags>::template Option<T>;
  template <typename T>
  using ListOption =
      typename PassPipelineOptions<Flags>::template ListOption<T>;

  ListOption<std::string> entries{
      *this, "entries",
      llvm::cl::desc("train (default), accumulate, grad, eval, vjp, forward")};
  Option<std::string> loss{
      *this, "loss",
      llvm::cl::desc("Loss of train, grad and eval: causal-lm, masked-lm, "
                     "cross-entropy, classification, mse, output:NAME, an "
                     "attribute, or none"),
      llvm::cl::init("causal-lm")};
  Option<std::string> logits{*this, "logits",
                             llvm::cl::desc("Output that the loss reads")};
  Option<std::string> optimizer{
      *this, "optimizer",
      llvm::cl::desc("Optimizer attribute of te-update-parameters"),
      llvm::cl::init("#te.adamw<>")};
  Option<double> maxGradNorm{
      *this, "max-grad-norm",
      llvm::cl::desc("Default of the scalar max_grad_norm"),
      llvm::cl::init(1.0)};

  Option<std::string> mesh{*this, "mesh",
                           llvm::cl::desc("Mesh: dp=2,cp=2,tp=4")};
  ListOption<std::string> shard{
      *this, "shard", llvm::cl::desc("Parameters: GLOB=DIM:AXIS or GLOB=none")};
  Option<unsigned> zero{*this, "zero",
                        llvm::cl::desc("Level of te-shard-states"),
                        llvm::cl::init(1)};

  void assignTo(EntryOptions &options) const {
    if (!entries.empty())
      options.entries.assign(entries.begin(), entries.end());
    options.loss = loss;
    options.logits = logits;
    options.optimizer = optimizer;
    options.maxGradNorm = maxGradNorm;
    options.mesh = mesh;
    options.shard.assign(shard.begin(), shard.end());
    options.zero = zero;
  }
};

struct EntryPipelineFlags : EntryFlags<EntryPipelineFlags> {};

/// GraphPipelineOptions as te-opt reads them.
struct GraphPipelineFlags : EntryFlags<GraphPipelineFlags> {
  Option<ComputePrecision> precision{
      *this, "precision", llvm::cl::desc("Compute precision"),
      llvm::cl::init(ComputePrecision::FP8),
      llvm::cl::values(
          clEnumValN(ComputePrecision::FP8, "fp8", "bf16 with FP8 linears"),
          clEnumValN(ComputePrecision::BF16, "bf16", "bf16, f32 masters"),
          clEnumValN(ComputePrecision::F32, "f32", "everything in f32"))};
  Option<BoundaryType> boundary{
      *this, "boundary",
      llvm::cl::desc("Type of matrices that enter and leave the entries"),
      llvm::cl::init(BoundaryType::F32),
      llvm::cl::values(
          clEnumValN(BoundaryType::F32, "f32", "f32"),
          clEnumValN(BoundaryType::BF16, "bf16", "bf16, not for train"))};
  Option<std::string> recipe{*this, "recipe",
                             llvm::cl::desc("Recipe attribute of te-quantize"),
                             llvm::cl::init("#te.delayed_scaling<>")};
  Option<std::string> policy{*this, "policy",
                             llvm::cl::desc("Rules of te-partition")};
  Option<bool> mergeLinears{
      *this, "merge-linears",
      llvm::cl::desc("Merge linear layers with a common input"),
      llvm::cl::init(true)};
  Option<std::string> costTarget{*this, "cost-target",
                                 llvm::cl::desc("Target of te-attach-costs")};
  Option<std::string> tuning{
      *this, "tuning", llvm::cl::desc("Tuning database of te-attach-costs")};

  GraphPipelineOptions options() const {
    GraphPipelineOptions result;
    assignTo(result);
    result.precision = precision;
    result.boundary = boundary;
    result.recipe = recipe;
    result.policy = policy;
    result.mergeLinears = mergeLinears;
    result.costTarget = costTarget;
    result.tuning = tuning;
    return result;
  }
};

/// RuntimePipelineOptions as te-opt reads them.
struct RuntimePipelineFlags : PassPipelineOptions<RuntimePipelineFlags> {
  Option<Recomputation> recompute{
      *this, "recompute",
      llvm::cl::desc("What is computed twice rather than kept"),
      llvm::cl::init(Recomputation::InGradients),
      llvm::cl::values(
          clEnumValN(Recomputation::None, "none", "nothing"),
          clEnumValN(Recomputation::InGradients, "in-gradients",
                     "FP8 copies that a gradient writes in passing"),
          clEnumValN(Recomputation::Copies, "copies",
                     "column-wise FP8 copies of what is kept as well"))};
};

struct LLVMPipelineFlags : PassPipelineOptions<LLVMPipelineFlags> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("What kernels are generated for"),
                             llvm::cl::init("cpu")};
};
} // namespace

void mlir::te::registerTEPipelines() {
  PassPipelineRegistration<EntryPipelineFlags>(
      "te-differentiate",
      "From @forward to entry points: te-build-entries, te-add-loss, "
      "te-add-gradients, te-accumulate-gradients, te-clip-gradients, "
      "te-update-parameters",
      [](OpPassManager &pm, const EntryPipelineFlags &flags) {
        EntryOptions options;
        flags.assignTo(options);
        buildEntryPipeline(pm, options);
      });
  PassPipelineRegistration<GraphPipelineFlags>(
      "te-graph-pipeline",
      "From an imported @forward to quantized and fused entry points",
      [](OpPassManager &pm, const GraphPipelineFlags &flags) {
        buildGraphPipeline(pm, flags.options());
      });
  PassPipelineRegistration<>(
      "tert-bufferize",
      "Bufferize programs in place: tert-materialize-results, "
      "tert-separate-reads, tert-one-shot-bufferize, tert-lower-transposes, "
      "tert-forward-copies, tert-reuse-inputs, canonicalize, cse, "
      "tert-remove-self-copies, tert-join-dimensions",
      buildBufferizePipeline);
  PassPipelineRegistration<RuntimePipelineFlags>(
      "te-runtime-pipeline",
      "From entry points to runtime programs in an arena",
      [](OpPassManager &pm, const RuntimePipelineFlags &flags) {
        RuntimePipelineOptions options;
        options.recompute = flags.recompute;
        buildRuntimePipeline(pm, options);
      });
  PassPipelineRegistration<LLVMPipelineFlags>(
      "te-llvm-pipeline", "From runtime programs to the LLVM dialect",
      [](OpPassManager &pm, const LLVMPipelineFlags &flags) {
        buildLLVMPipeline(pm, flags.target);
      });
  PassPipelineRegistration<GraphPipelineFlags>(
      "te-train-pipeline", "The whole way from @forward to the LLVM dialect",
      [](OpPassManager &pm, const GraphPipelineFlags &flags) {
        buildGraphPipeline(pm, flags.options());
        buildRuntimePipeline(pm);
        buildLLVMPipeline(pm, "cpu");
      });
}
