// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of a model through the passes, for tools and for embedders. Each of
// these structs has a table of its options (te/Support/Options.h).

#ifndef TE_PIPELINES_PIPELINES_H
#define TE_PIPELINES_PIPELINES_H

#include "te/Dialect/TE/Transforms/Training/Training.h"
#include "te/Pipelines/PipelineExtensions.h"
#include "te/Support/Options.h"

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::te {

/// Masters and optimizer states.
inline constexpr unsigned kDefaultZero = 1;

/// What becomes of the values that forward_saving saves.
enum class SavedValues {
  Kept,
  /// backward writes over them, and can run once.
  Overwritten
};

/// Which entries a model gets, and what they are made with.
struct EntryOptions {
  /// Names of entry kinds: "train", "eval".
  std::vector<std::string> entries = {"train"};
  /// As parseLoss reads it; "none" for entries without one.
  std::string loss = "causal-lm";
  /// The output that the loss reads; empty: the only one of floating point.
  std::string logits;
  /// As parseOptimizer reads it.
  std::string optimizer = "adamw";
  /// Parameters with factors of their own for the learning rate and the weight
  /// decay, as te-update-parameters reads its option `groups`: "NAME=GLOB".
  std::vector<std::string> groups;
  /// Default of the scalar ema_decay of averages of the parameters
  /// (te-average-parameters); without it there are none.
  std::optional<double> ema;
  /// What backward does with what forward_saving saved.
  SavedValues saved = SavedValues::Kept;
  /// Inputs that vjp and forward_saving give no gradients of, as
  /// te-add-gradients reads its option `constant-inputs`.
  std::vector<std::string> constantInputs;
  /// Outputs that they take no cotangents of, in the same way.
  std::vector<std::string> constantOutputs;
  /// The type in which microbatches sum gradients.
  GradientSums gradientSums = GradientSums::F32;
  /// Default of the scalar max_grad_norm.
  double maxGradNorm = 1.0;
  /// The mesh that the entries are for, as parseMesh reads it; empty: one rank.
  std::string mesh;
  /// Parameters that ranks along tp share otherwise than te-shard-model finds
  /// by itself, or not at all: its option `shard`.
  std::vector<std::string> shard;
  /// Rows that ranks along ep can send each other, as te-shard-experts reads
  /// its option `capacity`; nothing: all.
  std::optional<double> expertCapacity;
  /// What data parallel ranks hold parts of, as te-shard-states has it;
  /// nothing: kDefaultZero.
  std::optional<unsigned> zero;
};

/// From te-build-entries to te-update-parameters: @forward becomes the entry
/// points asked for.
void buildEntryPipeline(OpPassManager &pm, const EntryOptions &options);

/// Which layers that can be FP8 are.
enum class Fp8Layers {
  /// Those that are faster for it, where the target has a cost model.
  Faster,
  All
};

/// What is computed a second time rather than kept for the backward pass; each
/// includes those before it.
enum class Recomputation {
  None,
  /// Column-wise FP8 copies that a gradient can write in passing.
  InGradients,
  /// What takes little more time than moving it twice through memory
  /// (te-recompute), where the target has a cost model.
  Cheap,
  /// All column-wise FP8 copies whose origin is kept as well
  /// (tert-recompute-copies), and more parts in tert-split-rows.
  Copies,
  /// Whatever takes no matrix product (te-recompute): norms, activations, sums.
  Activations,
  /// Whole layers.
  Layers
};

/// What the graph is turned into.
struct GraphPipelineOptions : EntryOptions {
  ComputePrecision precision = ComputePrecision::FP8;
  BoundaryType boundary = BoundaryType::F32;
  /// The type of trained matrices in the program and its checkpoints.
  MasterType masters = MasterType::F32;
  /// For FP8, as parseRecipe reads it.
  std::string recipe = "delayed_scaling";
  /// Rules of te-partition and te-merge-linears.
  std::string policy;
  /// Whether evaluation computes in FP8, too, where the program trains.
  bool fp8Eval = false;
  Fp8Layers fp8Layers = Fp8Layers::Faster;
  /// For te-partition: a file of 'te-run calibrate', and the share of its loss
  /// that FP8 may add to it, "0.1%" or "0.001"; both or none.
  std::string calibration, quality;
  /// Seconds that a byte kept for the backward pass counts like when layers are
  /// chosen, where the target has a cost model.
  double memoryPrice = 0;
  /// Parameters that are computed with once, when they are loaded.
  PreparedWeights preparedWeights = PreparedWeights::None;
  /// RuntimePipelineOptions::recompute, of the same program, and what values
  /// may take at a time then (te-recompute); 0: as little as can be.
  Recomputation recompute = Recomputation::Cheap;
  int64_t recomputeBytes = 0;
  /// Most bytes of logits at a time, where they are not those of te-fuse-loss.
  std::optional<int64_t> logitsBytes;
  /// Whether linear layers that read one input become one product.
  bool mergeLinears = true;
  /// A target that was measured, for te-attach-costs; empty: fuse whatever can
  /// be.
  std::string costTarget;
  /// Tuning database of te-attach-costs; empty for none.
  std::string tuning;
};

/// From te-raise to te-fuse: an imported @forward becomes the entry points
/// asked for, on tensors, quantized and fused.
void buildGraphPipeline(OpPassManager &pm, const GraphPipelineOptions &options,
                        const PipelineExtensions &extensions = {});

/// Where an entry's outputs are.
enum class OutputMemory {
  /// In the arena, until the next call, or in a buffer that the caller passes.
  Arena,
  /// In buffers of the caller, always.
  Caller,
  /// Gradients as for Arena, the others as for Caller.
  GradientsInArena
};

/// What the runtime program trades time for, and where it leaves its results.
struct RuntimePipelineOptions {
  Recomputation recompute = Recomputation::Cheap;
  OutputMemory outputs = OutputMemory::Arena;
};

/// One-shot bufferization of functions that connect to the outside by the te
/// dialect's boundary attributes, step by step: a result that is tied to an
/// argument of the same name (`te.param`, `te.state`) is written in place into
/// that argument's buffer, every other result gets an argument of its own, and
/// the functions return nothing. Producers write into the part of a larger
/// tensor that their result is inserted into, so that a concatenation costs
/// nothing. Copies that remain, and transposes, are `tert.copy`.
void buildBufferizePipeline(OpPassManager &pm);

/// From te-to-tert to tert-plan-memory: entry points become runtime programs on
/// buffers placed in an arena.
void buildRuntimePipeline(OpPassManager &pm,
                          const RuntimePipelineOptions &options = {},
                          const PipelineExtensions &extensions = {});

/// From tert to the LLVM dialect; generated kernels are compiled for `target`,
/// a name that the context's TargetRegistry has.
void buildLLVMPipeline(OpPassManager &pm, StringRef target);

/// The whole way.
struct TrainPipelineOptions {
  GraphPipelineOptions graph;
  RuntimePipelineOptions runtime;
  std::string target = "cpu";
};

/// From @forward to the LLVM dialect.
void buildTrainPipeline(OpPassManager &pm, const TrainPipelineOptions &options);

/// Registers them, as te-differentiate, te-graph-pipeline, te-runtime-pipeline,
/// tert-bufferize, te-llvm-pipeline and, all three, te-train-pipeline.
void registerTEPipelines();

} // namespace mlir::te

#endif // TE_PIPELINES_PIPELINES_H
