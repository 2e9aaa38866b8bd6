// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that decide what a program computes. te-opt's pipelines have
// those of their struct, te-compile and the C API have all of them.

#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"
#include "te/Pipelines/Pipelines.h"

using namespace mlir;
using namespace mlir::te;

static constexpr NamedValue<Recomputation> recomputations[] = {
    {"none", Recomputation::None, "nothing"},
    {"in-gradients", Recomputation::InGradients,
     "column-wise FP8 copies that a gradient can write in passing"},
    {"cheap", Recomputation::Cheap,
     "on GPUs also what takes little time for the memory that it saves, such "
     "as functions of single elements"},
    {"copies", Recomputation::Copies,
     "all of them, where what they are made from is kept as well"},
    {"activations", Recomputation::Activations,
     "norms, activations, sums, and copies: all that takes no matrix product"},
    {"layers", Recomputation::Layers,
     "whole layers, where that saves memory at the peak"}};

static constexpr NamedValue<OutputMemory> outputMemories[] = {
    {"arena", OutputMemory::Arena,
     "in the arena, until the next call, or where the caller wants them"},
    {"caller", OutputMemory::Caller,
     "in buffers that every caller passes; the arena is smaller by that"},
    {"gradients-in-arena", OutputMemory::GradientsInArena,
     "gradients in the arena, which a caller can give away with them, and "
     "other outputs in buffers that every caller passes"}};

static constexpr NamedValue<SavedValues> savedValues[] = {
    {"kept", SavedValues::Kept, "backward only reads them"},
    {"overwritten", SavedValues::Overwritten,
     "their memory serves backward, which takes less then, and can run once "
     "for each forward_saving"}};

static constexpr NamedValue<Fp8Layers> fp8Layers[] = {
    {"faster", Fp8Layers::Faster,
     "those that take less time for it, by the measurements of a GPU's "
     "--target; all for a CPU"},
    {"all", Fp8Layers::All, "slower ones, too"}};

static OptionProblem parseEntries(StringRef text,
                                  std::vector<std::string> &entries) {
  std::vector<std::string> parsed;
  for (StringRef entry : llvm::split(text, ',')) {
    if (!findEntryKind(entry))
      return "is not known";
    parsed.push_back(entry.str());
  }
  entries = std::move(parsed);
  return std::nullopt;
}

static std::vector<OptionOf<EntryOptions>> makeEntryOptions() {
  OptionTable<EntryOptions> table;
  auto &entry = table.add("entry", "list", "Entry points, separated by commas",
                          TE_OPTION_MEMBER(entries));
  entry.alias = "entries";
  entry.choices = {{"train", "a training step"},
                   {"accumulate",
                    "what --microbatches adds to train: the gradients of a "
                    "part of its batch"},
                   {"grad", "the loss and the parameters' gradients"},
                   {"eval", "the loss of a batch, without gradients"},
                   {"vjp", "the product of a cotangent and the Jacobian"},
                   {"forward_saving",
                    "the model's outputs, and what backward reads, its entry "
                    "beside this one"},
                   {"backward", "vjp's gradients, of what forward_saving "
                                "saved"},
                   {"forward", "the model's outputs"},
                   {"prefill", "the logits behind a prompt, whose keys and "
                               "values it caches; decode comes with it"},
                   {"decode", "the logits behind one more token; prefill "
                              "comes with it"},
                   {"calibrate", "what FP8 would change in each product, for "
                                 "te-run calibrate"}};
  entry.set = [](EntryOptions &options, StringRef text) {
    return parseEntries(text, options.entries);
  };
  table.addOpenChoice(
      "loss", "loss", "Loss of train, grad, eval and calibrate",
      {{"causal-lm", "labels are the inputs shifted by one"},
       {"masked-lm", "labels are an input, those of the masked positions"},
       {"cross-entropy", "labels are an input, one per position"},
       {"classification", "labels are an input, a class per sequence or token"},
       {"mse", "squared distance from an input of the output's shape"},
       {"output:NAME", "an output of the model, which computes its own loss"},
       {"none",
        "no loss: only vjp, forward_saving, forward, prefill and decode"},
       {"'#te...<...>'", "a loss attribute with its parameters, such as "
                         "'#te.masked_lm<label_smoothing = 0.1>'"}},
      TE_OPTION_MEMBER(loss));
  table.add("optimizer", "spec",
            "Optimizer of train; by name or with its parameters, "
            "'sgd<momentum = 0.95, nesterov = true>'. docs/te.md lists them",
            TE_OPTION_MEMBER(optimizer));
  table.add(
      "mesh", "axes",
      "Ranks that work together, such as dp=4 or dp=2,tp=4; one program "
      "for all: dp=R for R ranks with a batch each, ep=R for R that also share "
      "experts, cp=R for R that share each sequence, tp=R for R that share "
      "each "
      "layer. te-run train "
      "--devices starts them (docs/distributed.md)",
      TE_OPTION_MEMBER(mesh));

  table.startGroup("Loss");
  table.add("logits", "name",
            "Output that the loss reads; without it the only one of floats",
            TE_OPTION_MEMBER(logits));

  table.startGroup("Training");
  table.add("max-grad-norm", "x",
            "Global norm that gradients are clipped to, unless te-run train "
            "--clip says otherwise; 0 clips nothing",
            TE_OPTION_MEMBER(maxGradNorm));
  table.addList(
      "group", "rule",
      "NAME=GLOB: parameters, by their names, with factors of their "
      "own for the learning rate and the weight decay, which te-run "
      "train --group NAME sets; NAME=GLOB:OPTIMIZER: with an optimizer of "
      "their own, as --optimizer takes it. May be repeated; the last one that "
      "is about a parameter holds",
      TE_OPTION_MEMBER(groups));
  table.add("ema", "x",
            "Keep an exponential moving average of every trained parameter, "
            "with this decay unless te-run train --ema-decay says otherwise: "
            "0.999",
            TE_OPTION_MEMBER(ema));

  table.addChoice("gradient-sums",
                  "Type in which --microbatches sums gradients", kGradientSums,
                  TE_OPTION_MEMBER(gradientSums));
  table.addChoice("saved", "What becomes of the values of forward_saving",
                  savedValues, TE_OPTION_MEMBER(saved));
  table.addList("constant-input", "glob",
                "Inputs, by their names, that vjp and forward_saving give no "
                "gradients of. May be repeated; without it all of floats have "
                "gradients",
                TE_OPTION_MEMBER(constantInputs));
  table.addList("constant-output", "glob",
                "Outputs, by their names, that vjp and forward_saving take no "
                "cotangents of: their gradients are zero. May be repeated",
                TE_OPTION_MEMBER(constantOutputs));

  table.startGroup("Many ranks");
  table.addList(
      "shard", "rule",
      "Along which dimension ranks along tp share parameters, where it "
      "is not to be what is found without it: GLOB=DIM:tp on their names, "
      "dimensions counted from 0, or GLOB=none for all of them on every "
      "rank. May be repeated",
      TE_OPTION_MEMBER(shard));
  table.add("expert-capacity", "x",
            "Rows that a rank along ep can send to another, as a multiple of "
            "an equal share; more are dropped. Without it none are",
            TE_OPTION_MEMBER(expertCapacity));
  table.addNumber(
      "zero", 0,
      "What data parallel ranks hold shards of: nothing (0), masters "
      "and optimizer states (1, the default), with --microbatches "
      "the sums of gradients, too (2), and compute copies of "
      "weights (3)",
      TE_OPTION_MEMBER(zero));
  return table.take();
}

template <>
ArrayRef<OptionOf<EntryOptions>> mlir::te::getOptions<EntryOptions>() {
  static const auto table = makeEntryOptions();
  return table;
}

static std::vector<OptionOf<GraphPipelineOptions>> makeGraphOptions() {
  OptionTable<GraphPipelineOptions> table;
  table.addChoice("precision", "Compute precision", kComputePrecisions,
                  TE_OPTION_MEMBER(precision));
  table.addOpenChoice(
      "recipe", "recipe", "Where the scales of FP8 come from",
      {{"delayed_scaling", "amaxes of earlier steps"},
       {"current_scaling", "the amax of each tensor itself"},
       {"row_scaling", "the amax of each row itself (CPU, Hopper)"},
       {"block_scaling", "the amax of each block itself: 128 x 128 elements of "
                         "weights, 1 x 128 of inputs and gradients, all E4M3 "
                         "(CPU, Hopper)"},
       {"mxfp8_scaling", "the amax of each 1 x 32 elements itself, as a power "
                         "of two in E8M0, all E4M3 (CPU)"},
       {"'#te...<...>'", "a recipe attribute with its parameters, such as "
                         "'#te.delayed_scaling<history = 16>'"}},
      TE_OPTION_MEMBER(recipe));
  table.add(
      "policy", "spec",
      "Which modules run in FP8: GLOB=fp8|high[,...], later rules win, or "
      "@file. By default every linear but the LM head",
      TE_OPTION_MEMBER(policy));
  table.append(getOptions<EntryOptions>(),
               [](auto &options) -> auto & { return options; });

  table.startGroup("Precision");
  table.addChoice("boundary",
                  "Type of inputs, outputs, parameters and gradients that are "
                  "not vectors (those are f32)",
                  kBoundaryTypes, TE_OPTION_MEMBER(boundary));
  table.addChoice("masters", "Type of the matrices that train changes",
                  kMasterTypes, TE_OPTION_MEMBER(masters));
  table.addChoice("fp8-layers",
                  "Which layers run in FP8 of those that can and that no rule "
                  "of --policy is about",
                  fp8Layers, TE_OPTION_MEMBER(fp8Layers));
  table
      .add("fp8-eval", "choice", "Precision of eval in a program that trains",
           TE_OPTION_MEMBER(fp8Eval))
      .choices = {{"true", "FP8 where train has it, as training steps compute"},
                  {"false", "bf16, the parameters' loss without the rounding "
                            "of FP8"}};
  table.add("calibration", "file",
            "Figures of 'te-run calibrate', to choose FP8 layers by: needs "
            "--quality. Rules of --policy come first (docs/precision.md)",
            TE_OPTION_MEMBER(calibration));
  table.add("quality", "x",
            "What FP8 may add to the loss of --calibration, as estimated "
            "there, such as 0.1%",
            TE_OPTION_MEMBER(quality));
  table
      .add("merge-linears", "choice",
           "Whether linear layers that read one input become one product, so "
           "that their input is quantized once",
           TE_OPTION_MEMBER(mergeLinears))
      .choices = {{"true", "where nothing keeps them apart"},
                  {"false", "each layer stays a product of its own"}};

  table.addChoice("prepared-weights",
                  "Parameters of which only FP8 copies, or whatever else the "
                  "entries read, are made when they are loaded; they "
                  "themselves stay in the host's memory",
                  kPreparedWeights, TE_OPTION_MEMBER(preparedWeights));

  table.startGroup("Speed and memory", /*isRecorded=*/false);
  table.add("tuning", "file",
            "Database of 'te-run tune' to decide about fusions by, with a "
            "GPU's --target. Without it the output's name with .tuning.json, "
            "if that is there",
            TE_OPTION_MEMBER(tuning));
  table
      .add("memory-price", "x",
           "Seconds that a byte kept for the backward pass counts like when "
           "layers are chosen",
           TE_OPTION_MEMBER(memoryPrice))
      .isOfPipelines = true;
  table
      .add("cost-target", "name",
           "Target whose measurements decide about fusions; without it "
           "whatever can be fused is",
           TE_OPTION_MEMBER(costTarget))
      .isOfPipelines = true;
  return table.take();
}

template <>
ArrayRef<OptionOf<GraphPipelineOptions>>
mlir::te::getOptions<GraphPipelineOptions>() {
  static const auto table = makeGraphOptions();
  return table;
}

static std::vector<OptionOf<RuntimePipelineOptions>> makeRuntimeOptions() {
  OptionTable<RuntimePipelineOptions> table;
  table.startGroup("Speed and memory");
  table.addChoice("recompute",
                  "What is computed twice, to save memory, rather than kept "
                  "for the backward pass",
                  recomputations, TE_OPTION_MEMBER(recompute));
  table.addChoice("outputs", "Where the outputs of entries are", outputMemories,
                  TE_OPTION_MEMBER(outputs));
  return table.take();
}

template <>
ArrayRef<OptionOf<RuntimePipelineOptions>>
mlir::te::getOptions<RuntimePipelineOptions>() {
  static const auto table = makeRuntimeOptions();
  return table;
}

static std::vector<OptionOf<TrainPipelineOptions>> makeTrainOptions() {
  OptionTable<TrainPipelineOptions> table;
  table.add("target", "name", "Where the program runs",
            TE_OPTION_MEMBER(target));
  table.append(getOptions<GraphPipelineOptions>(), TE_OPTION_MEMBER(graph));
  table.append(getOptions<RuntimePipelineOptions>(), TE_OPTION_MEMBER(runtime));
  return table.take();
}

template <>
ArrayRef<OptionOf<TrainPipelineOptions>>
mlir::te::getOptions<TrainPipelineOptions>() {
  static const auto table = makeTrainOptions();
  return table;
}
