// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation can be told, for command lines, the C API and programs.
// Every option is declared once: in lib/Pipelines/Options.cpp what decides
// about the program, in lib/Driver/Options.cpp the rest.

#ifndef TE_DRIVER_OPTIONS_H
#define TE_DRIVER_OPTIONS_H

#include "te/Driver/Input.h"
#include "te/Pipelines/Pipelines.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::te {

/// What a compilation ends with.
enum class EmitKind {
  TE,           ///< text: the graph, quantized and fused
  Linalg,       ///< text: the same in upstream dialects
  TERT,         ///< text: the runtime program, memory planned
  LLVM,         ///< text: the LLVM dialect
  Object,       ///< an object file
  SharedLibrary ///< the artifact
};

/// How --plan says what it found.
enum class PlanFormat { Text, JSON };

/// --freeze or --train-only, about parameters whose names match.
struct TrainingRule {
  bool freezes;
  std::string glob;
};

/// All of a compilation but the model.
struct CompileOptions : TrainPipelineOptions {
  // `graph.recipe`, `graph.loss` and `graph.costTarget` are what the user says,
  // until the compilation has joined them with the parameters below.

  // Parameters of the named recipes, the last three of delayed scaling alone;
  // nothing where the recipe's own default holds.
  std::optional<Fp8Format> fp8Format;
  std::optional<unsigned> amaxHistory;
  std::optional<AmaxAlgo> amaxAlgo;
  std::optional<unsigned> margin;

  // Parameters of a loss that is given by name; nothing where its own default
  // holds.
  std::optional<Reduction> reduction;
  std::optional<int64_t> ignoreIndex;
  std::optional<double> labelSmoothing;
  std::optional<double> zLoss;

  /// Microbatches of a step unless the user of the program says otherwise; adds
  /// the entry `accumulate` to `train`. Nothing: a step is one batch.
  std::optional<unsigned> microbatches;

  /// The loss causal-lm takes models whose positions see later tokens.
  bool allowLookahead = false;
  /// Bytes that the program may need at most, or what a device of the cluster
  /// has. Sets graph.memoryPrice, graph.recomputeBytes, graph.logitsBytes and
  /// runtime.recompute where the fastest program needs more.
  static constexpr int64_t kMemoryOfDevice = -1;
  std::optional<int64_t> memory;
  /// Which function is the model, and what its parameters are, in plain MLIR.
  PlainModelOptions plain;
  /// Which parameters are trained, a later rule before earlier ones. With a
  /// rule that names what is trained, the others are frozen; without rules, or
  /// where none of --freeze is about a parameter, the model says it.
  std::vector<TrainingRule> training;
  /// Libraries that register dialects and passes, as plugins of MLIR's tools
  /// do; loading them runs their code.
  std::vector<std::string> dialectPlugins, passPlugins;
  /// Passes of the program that embeds the compiler, on the module, as
  /// --pass-pipeline has them: before a model in plain MLIR is imported, and
  /// between the graph's passes and the runtime's.
  std::string modelPasses, graphPasses;
  /// First values of parameters without data: InitializationRules.
  std::string init;
  /// Values of parameters: a safetensors file.
  std::string weights;
  EmitKind emit = EmitKind::SharedLibrary;
  /// Where the result goes, "-" for standard output; empty: a name made of the
  /// model's (getDefaultOutput).
  std::string output;
  /// Where the report goes; empty: none is made.
  std::string report;
  /// Instead of a result, what a step of it needs and takes goes to standard
  /// output.
  std::optional<PlanFormat> plan;
  /// The machines of a plan and of a report's collectives, as readCluster takes
  /// them, and the devices of a host there; nothing: the reference cluster, and
  /// the cluster's own.
  std::string cluster;
  std::optional<unsigned> hostSize;
  /// Outputs replace whatever has their names.
  bool force = false;
  bool timing = false;
  /// No summary at the end: for tools, which print it.
  bool quiet = false;
  /// Remarks without a location say what is done.
  bool verbose = false;
};

/// The result's name for the model `input`: "model.so", "model.te.mlir" and so
/// on, in the current folder; empty for standard input.
std::string getDefaultOutput(llvm::StringRef input, EmitKind emit);

} // namespace mlir::te

#endif // TE_DRIVER_OPTIONS_H
