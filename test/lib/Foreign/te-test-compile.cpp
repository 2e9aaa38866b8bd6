// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an embedder's compiler does with a dialect of its own: @forward of a
// text, through the pipelines, to an artifact.

#include "Foreign/Foreign.h"

#include "te/InitAll.h"
#include "te/Pipelines/Pipelines.h"
#include "te/Target/ArtifactDescription.h"
#include "te/Target/MachineCode.h"
#include "te/Target/SharedLibrary.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;
namespace cl = llvm::cl;

static LogicalResult compile(MLIRContext &context, StringRef input,
                             const GraphPipelineOptions &options,
                             StringRef output) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  if (!module)
    return failure();
  auto run = [&](function_ref<void(OpPassManager &)> build) {
    PassManager pm(&context);
    build(pm);
    return pm.run(*module);
  };
  if (failed(run([&](OpPassManager &pm) { buildGraphPipeline(pm, options); })))
    return failure();
  if (output.empty()) {
    module->print(llvm::outs());
    return success();
  }
  if (failed(run(buildRuntimePipeline)))
    return failure();

  CompilationRecord record;
  record.target = "cpu";
  record.source = input.str();
  FailureOr<llvm::json::Object> description =
      describeArtifact(*module, std::move(record));
  if (failed(description))
    return failure();
  std::string text =
      llvm::formatv("{0}", llvm::json::Value(std::move(*description)));
  (*module)->setAttr(kDescriptionAttr, StringAttr::get(&context, text));
  if (failed(run([](OpPassManager &pm) { buildLLVMPipeline(pm, "cpu"); })))
    return failure();
  FailureOr<llvm::SmallVector<char, 0>> object = compileToObject(*module);
  return failed(object) ? failure()
                        : linkSharedLibrary(*module, *object, output);
}

int main(int argc, char **argv) {
  cl::opt<std::string> input(cl::Positional, cl::Required);
  cl::opt<std::string> output(
      "o", cl::desc("Artifact; the graph is printed without it"));
  cl::opt<std::string> entry("entry", cl::init("train"));
  cl::opt<std::string> precision("precision", cl::init("fp8"));
  cl::ParseCommandLineOptions(argc, argv);

  GraphPipelineOptions options;
  options.entries = {entry};
  options.loss.kind = LossKind::CrossEntropy;
  options.precision = precision == "f32"    ? ComputePrecision::F32
                      : precision == "bf16" ? ComputePrecision::BF16
                                            : ComputePrecision::FP8;
  DialectRegistry registry;
  registerAllDialects(registry);
  test::registerForeignDialect(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(false);
  return failed(compile(context, input, options, output));
}
