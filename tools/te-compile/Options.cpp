// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

namespace cl = llvm::cl;

namespace mlir::te {

CompileOptions::CompileOptions()
    : category("te-compile options"),
      input(cl::Positional, cl::Required, cl::value_desc("MODEL"),
            cl::desc("<model.onnx or .mlir, - for standard input>"),
            cl::cat(category)),
      output("o", cl::desc("Where to write (- for standard output)"),
             cl::value_desc("file"), cl::Required, cl::cat(category)),
      entries(
          "entry", cl::CommaSeparated,
          cl::desc("Entry points: train (default), grad, eval, vjp, forward"),
          cl::value_desc("list"), cl::cat(category)),
      precision("precision", cl::desc("Compute precision:"),
                cl::values(clEnumValN(ComputePrecision::FP8, "fp8",
                                      "bf16 compute with FP8 linears, f32 "
                                      "masters (default)"),
                           clEnumValN(ComputePrecision::BF16, "bf16",
                                      "bf16 compute, f32 masters"),
                           clEnumValN(ComputePrecision::F32, "f32",
                                      "everything in f32")),
                cl::init(ComputePrecision::FP8), cl::cat(category)),
      boundary(
          "boundary",
          cl::desc("Type of inputs, outputs, parameters and gradients that are "
                   "no vectors (those are f32):"),
          cl::values(clEnumValN(BoundaryType::F32, "f32", "f32 (default)"),
                     clEnumValN(BoundaryType::BF16, "bf16",
                                "bf16, as layers in a bf16 model have them; "
                                "not for --entry=train, whose parameters are "
                                "masters")),
          cl::init(BoundaryType::F32), cl::cat(category)),
      target(
          "target", cl::desc("Where the program runs:"),
          cl::values(
              clEnumValN(Target::CPU, "cpu", "this machine's CPU (default)"),
              clEnumValN(Target::SM90, "sm_90", "a Hopper GPU (H100, H200)")),
          cl::init(Target::CPU), cl::cat(category)),
      recipe("recipe", cl::desc("Where scales come from:"),
             cl::values(clEnumValN(Recipe::Delayed, "delayed",
                                   "amaxes of earlier steps (default)"),
                        clEnumValN(Recipe::Current, "current",
                                   "the amax of each tensor itself")),
             cl::init(Recipe::Delayed), cl::cat(category)),
      fp8Format(
          "fp8-format", cl::desc("FP8 formats:"),
          cl::values(clEnumValN(Fp8Format::Hybrid, "hybrid",
                                "E4M3 forward, E5M2 gradients (default)"),
                     clEnumValN(Fp8Format::E4M3, "e4m3", "E4M3 everywhere")),
          cl::init(Fp8Format::Hybrid), cl::cat(category)),
      amaxHistory("amax-history",
                  cl::desc("Amaxes kept per tensor (default 1024)"),
                  cl::value_desc("n"), cl::init(1024), cl::cat(category)),
      amaxAlgo(
          "amax-algo",
          cl::desc("What delayed scaling takes of the "
                   "history:"),
          cl::values(
              clEnumValN(AmaxAlgo::Max, "max", "the largest amax (default)"),
              clEnumValN(AmaxAlgo::MostRecent, "most_recent", "the newest")),
          cl::init(AmaxAlgo::Max), cl::cat(category)),
      margin("margin",
             cl::desc("Headroom of scales in powers of two (default 0)"),
             cl::value_desc("n"), cl::init(0), cl::cat(category)),
      policy("policy",
             cl::desc("Which modules run in FP8: GLOB=fp8|high[,...], later "
                      "rules win, or @file; by default every linear but the LM "
                      "head"),
             cl::value_desc("spec"), cl::cat(category)),
      loss("loss", cl::desc("Loss of train, grad and eval:"),
           cl::values(clEnumValN(LossKind::CausalLM, "causal-lm",
                                 "labels are the inputs shifted by one "
                                 "(default)"),
                      clEnumValN(LossKind::CrossEntropy, "cross-entropy",
                                 "labels are an input, one per position"),
                      clEnumValN(LossKind::None, "none", "no loss")),
           cl::init(LossKind::CausalLM), cl::cat(category)),
      reduction("reduction", cl::desc("How the loss joins its positions:"),
                cl::values(
                    clEnumValN(Reduction::Mean, "mean", "their mean (default)"),
                    clEnumValN(Reduction::Sum, "sum", "their sum")),
                cl::init(Reduction::Mean), cl::cat(category)),
      ignoreIndex("ignore-index",
                  cl::desc("Label that does not count (default -100)"),
                  cl::value_desc("id"), cl::init(-100), cl::cat(category)),
      optimizer("optimizer", cl::desc("Optimizer of train:"),
                cl::values(clEnumValN(OptimizerKind::AdamW, "adamw",
                                      "AdamW, decoupled weight decay "
                                      "(default)")),
                cl::init(OptimizerKind::AdamW), cl::cat(category)),
      init("init",
           cl::desc("First values of parameters without data: "
                    "[GLOB=]KIND[,...], KIND normal:STD, uniform:LOW:HIGH, "
                    "constant:VALUE, zeros or ones"),
           cl::value_desc("spec"), cl::cat(category)),
      tuning("tuning",
             cl::desc("Database of 'te-run tune' to decide about fusions by, "
                      "with a GPU's --target; without it the output's name "
                      "with .tuning.json, if that is there"),
             cl::value_desc("file"), cl::cat(category)),
      emit(
          "emit", cl::desc("What to write:"),
          cl::values(
              clEnumValN(EmitKind::SharedLibrary, "so",
                         "the artifact (default)"),
              clEnumValN(EmitKind::Object, "obj", "an object file"),
              clEnumValN(EmitKind::LLVM, "llvm", "MLIR in the LLVM dialect"),
              clEnumValN(EmitKind::TERT, "tert",
                         "the runtime program, memory planned"),
              clEnumValN(EmitKind::TE, "te", "the graph, quantized and fused")),
          cl::init(EmitKind::SharedLibrary), cl::cat(category)),
      report("report",
             cl::desc("Write what became FP8 and what was fused, what was not "
                      "and why, times, memory and slots (- for standard "
                      "output)"),
             cl::value_desc("file"), cl::cat(category)),
      timing("timing", cl::desc("Print the time of every pass"),
             cl::cat(category)),
      verbose("v", cl::desc("Say what is done"), cl::cat(category)) {}

} // namespace mlir::te
