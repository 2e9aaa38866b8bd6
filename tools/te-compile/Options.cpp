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
      entries("entry", cl::CommaSeparated,
              cl::desc("Entry points: train (default), grad, vjp, forward"),
              cl::value_desc("list"), cl::cat(category)),
      precision("precision",
                cl::desc("fp8 (default: bf16 compute with FP8 linears, f32 "
                         "masters), bf16, or f32"),
                cl::value_desc("kind"), cl::init("fp8"), cl::cat(category)),
      target("target", cl::desc("cpu (default)"), cl::value_desc("name"),
             cl::init("cpu"), cl::cat(category)),
      recipe("recipe", cl::desc("Where scales come from: delayed (default)"),
             cl::value_desc("name"), cl::init("delayed"), cl::cat(category)),
      fp8Format("fp8-format",
                cl::desc("hybrid (default: E4M3 forward, E5M2 gradients) or "
                         "e4m3"),
                cl::value_desc("format"), cl::init("hybrid"),
                cl::cat(category)),
      amaxHistory("amax-history",
                  cl::desc("Amaxes kept per tensor (default 1024)"),
                  cl::value_desc("n"), cl::init(1024), cl::cat(category)),
      amaxAlgo("amax-algo",
               cl::desc("What delayed scaling takes of the history: max "
                        "(default) or most_recent"),
               cl::value_desc("name"), cl::init("max"), cl::cat(category)),
      margin("margin",
             cl::desc("Headroom of scales in powers of two (default 0)"),
             cl::value_desc("n"), cl::init(0), cl::cat(category)),
      policy("policy",
             cl::desc("Which modules run in FP8: GLOB=fp8|high[,...], later "
                      "rules win, or @file; by default every linear but the LM "
                      "head"),
             cl::value_desc("spec"), cl::cat(category)),
      loss("loss",
           cl::desc("causal-lm (default: labels are the inputs shifted by one), "
                    "cross-entropy (labels are an input) or none"),
           cl::value_desc("name"), cl::init("causal-lm"), cl::cat(category)),
      reduction("reduction", cl::desc("mean (default) or sum of the loss"),
                cl::value_desc("name"), cl::init("mean"), cl::cat(category)),
      ignoreIndex("ignore-index",
                  cl::desc("Label that does not count (default -100)"),
                  cl::value_desc("id"), cl::init(-100), cl::cat(category)),
      optimizer("optimizer", cl::desc("adamw (default)"),
                cl::value_desc("name"), cl::init("adamw"), cl::cat(category)),
      init("init",
           cl::desc("First values of parameters without data: "
                    "[GLOB=]KIND[,...], KIND normal:STD, uniform:LOW:HIGH, "
                    "constant:VALUE, zeros or ones"),
           cl::value_desc("spec"), cl::cat(category)),
      emit("emit", cl::desc("What to write:"),
           cl::values(clEnumValN(EmitKind::SharedLibrary, "so",
                                 "the artifact (default)"),
                      clEnumValN(EmitKind::Object, "obj", "an object file"),
                      clEnumValN(EmitKind::LLVM, "llvm",
                                 "MLIR in the LLVM dialect"),
                      clEnumValN(EmitKind::TERT, "tert",
                                 "the runtime program, memory planned"),
                      clEnumValN(EmitKind::TE, "te",
                                 "the graph, quantized and fused")),
           cl::init(EmitKind::SharedLibrary), cl::cat(category)),
      report("report",
             cl::desc("Write what became FP8, what did not and why, memory and "
                      "slots (- for standard output)"),
             cl::value_desc("file"), cl::cat(category)),
      timing("timing", cl::desc("Print the time of every pass"),
             cl::cat(category)),
      verbose("v", cl::desc("Say what is done"), cl::cat(category)) {}

} // namespace mlir::te
