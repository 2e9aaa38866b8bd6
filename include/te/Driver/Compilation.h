// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model in, an artifact out: what te-compile, the C API and other programs
// call. Nothing here prints or ends the process: whatever there is to say is a
// diagnostic of the context, errors of options and files at an unknown
// location.

#ifndef TE_DRIVER_COMPILATION_H
#define TE_DRIVER_COMPILATION_H

#include "te/Driver/Options.h"
#include "te/Frontend/ImportedModel.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace mlir::te {

struct Cluster;
struct Plan;
class Report;
class TargetInfo;

/// A context with the dialects that models and programs are made of. It has one
/// thread: passes on one model gain nothing from more.
std::unique_ptr<MLIRContext> createCompilationContext();

/// Whether both names are of one file; writing to `output` would destroy
/// `input`.
bool isSameFile(llvm::StringRef input, llvm::StringRef output);

/// One run of the compiler, step by step: options, load, run, emit. A step
/// whose predecessor failed must not be called.
class Compilation {
public:
  /// `context` is one of createCompilationContext(), or another with the same
  /// dialects (registerAllDialects, registerModelDialects).
  Compilation(MLIRContext &context, CompileOptions options);
  ~Compilation();

  /// Fails where options contradict each other: wrong usage, unlike every other
  /// failure.
  LogicalResult checkOptions();

  /// Reads the model in the file `path` ("-": standard input): ONNX, StableHLO,
  /// MLIR or MLIR bytecode with a function @forward.
  LogicalResult load(StringRef path);
  /// The same for a model in memory; the buffer's name is the model's path.
  LogicalResult load(std::unique_ptr<llvm::MemoryBuffer> buffer);

  /// Runs the pipelines that EmitKind asks for.
  LogicalResult run();
  /// Measures the passes of run(); the scope must outlive it.
  void setTiming(TimingScope &scope) { timing = &scope; }
  /// Before run(): at the end of emit(), a remark without a location says in a
  /// line what was written, what became FP8, and what memory it takes; a
  /// warning, that nothing became FP8. The context must not have remarks
  /// enabled.
  void enableSummary() { hasSummary = true; }

  /// After load(): fails if a file that emit() would write is in the way of
  /// nothing but --force; emit() asks, too, but only then.
  LogicalResult checkOutputs();
  /// Writes the plan to standard output, if one was asked for. Otherwise
  /// writes the result where the options say, and the parameters' values beside
  /// an artifact or an object, both or neither; then the report, if one was
  /// asked for.
  LogicalResult emit();
  /// Writes the result, which must not be a shared library, or the plan, and
  /// nothing else.
  LogicalResult emit(llvm::raw_pwrite_stream &os);

  /// After load(): the result goes to the file `path` instead.
  void setOutput(StringRef path) { options.output = path.str(); }

  /// Between load() and emit(): the module as it is.
  ModuleOp getModule() const { return *model.module; }
  /// After load(): where the result goes, also if the options do not say.
  StringRef getOutput() const { return options.output; }

private:
  LogicalResult checkPlan();
  LogicalResult addModelPasses(OpPassManager &pm);
  LogicalResult addGraphPasses(OpPassManager &pm);
  LogicalResult chooseOutput();
  LogicalResult chooseTuning();
  LogicalResult checkParameters();
  void selectBuffers();
  LogicalResult runPipeline(function_ref<void(OpPassManager &)> build);
  LogicalResult runGraph(CostModelAttrInterface &costs);
  LogicalResult runRuntime(CostModelAttrInterface costs);
  LogicalResult fitMemory();
  void recordParameterTypes();
  LogicalResult describe();
  /// Sets `weightsPath` if the parameters' values are written.
  LogicalResult emitFiles(std::string bytes, std::string &weightsPath);
  /// Whether the parameters' values go to a file beside the result.
  bool hasWeightsFile() const;
  LogicalResult writeReport();
  void summarize(StringRef weightsPath);
  /// The model's file name, for people.
  StringRef getSourceName() const;

  MLIRContext &context;
  CompileOptions options;
  const TargetInfo *target = nullptr;
  OptimizerAttrInterface optimizer;
  /// Null when no entry has one.
  LossAttrInterface loss;
  TimingScope *timing = nullptr;
  bool hasSummary = false;
  std::string input;
  ImportedModel model;
  /// What the graph's passes made of the parameters, by name.
  llvm::StringMap<Type> parameterTypes;
  std::string modelDigest; ///< of what was read, before any pass
  llvm::json::Object description;
  /// What the fastest program needs, if it does not fit options.memory.
  std::optional<int64_t> fastestBytes;
  /// Bytes, and seconds of a step, of the programs that were compiled to fit
  /// it.
  std::vector<std::pair<int64_t, double>> alternatives;
  std::unique_ptr<Report> report;
  std::unique_ptr<Cluster> cluster; ///< of plans and reports
  std::unique_ptr<Plan> plan;
};

} // namespace mlir::te

#endif // TE_DRIVER_COMPILATION_H
