// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the pass, and in it the rewrite, that makes a module compute something
// else (docs/testing.md). It takes a pipeline as te-opt does.

#include "Bisection.h"

#include "../lib/TestPasses.h"
#include "te/Driver/Input.h"
#include "te/InitAll.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

namespace cl = llvm::cl;

namespace {
struct Flags {
  cl::opt<std::string> file{cl::Positional, cl::desc("MODEL"), cl::init("-")};
  cl::opt<uint64_t> seed{"seed", cl::init(0),
                         cl::desc("Seed of the arguments' values (0)")};
  cl::opt<double> rounding{
      "rounding", cl::init(kFloat32Error),
      cl::desc("Relative error of a number that makes no difference (2^-24)")};
  cl::opt<double> fp8Tolerance{
      "fp8-tolerance", cl::init(0.3),
      cl::desc("Relative error of results that a pass may make FP8 (0.3)")};
  cl::opt<bool> noDifferences{
      "no-differences",
      cl::desc("Leave out the comparison of gradients with differences, which\n"
               "takes long for large models")};
  cl::opt<bool> printFunctions{
      "print-functions",
      cl::desc("Print the function before and behind the wrong rewrite")};
  PassPipelineCLParser passes{"", "Passes to run"};
};
} // namespace

/// Models of ONNX and StableHLO are imported first.
static OwningOpRef<ModuleOp> readModule(StringRef path, MLIRContext &context) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(path, &error);
  if (!input) {
    llvm::errs() << "te-bisect: error: " << error << "\n";
    return {};
  }
  if (isForeignModel(input->getMemBufferRef()))
    input = convertToBytecode(std::move(input), context);
  return input ? parseSourceString<ModuleOp>(input->getBuffer(), &context, path)
               : OwningOpRef<ModuleOp>();
}

static int report(const Result &result) {
  if (result.ending == Ending::Failed)
    return 1;
  if (result) {
    llvm::outs() << "no difference\n";
    return 0;
  }
  if (result.stage.empty()) {
    llvm::errs() << "te-bisect: error: " << result.message << "\n";
    return 2;
  }
  llvm::outs() << "no difference before it; from there on the oracle, which "
                  "knows te, linalg, tensor,\nscf, arith and math, cannot "
                  "compare\n";
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerAllPasses();
  test::registerPlantedRewritePass();
  Flags flags;
  cl::ParseCommandLineOptions(
      argc, argv,
      "te-bisect: finds the first pass, and the first rewrite in it, behind "
      "which a module\ncomputes something else, in float64 on random values\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  if (!flags.passes.hasAnyOccurrences()) {
    llvm::errs() << "te-bisect: error: no passes to run; give them as te-opt "
                    "takes them\n";
    return 2;
  }
  OwningOpRef<ModuleOp> module = readModule(flags.file, context);
  if (!module)
    return 2;

  Arguments arguments(flags.seed);
  for (auto function : module->getOps<func::FuncOp>())
    arguments.add(function);
  ComparisonOptions options;
  options.rounding = flags.rounding;
  options.fp8Tolerance = flags.fp8Tolerance;
  options.differentiates = !flags.noDifferences;
  auto build = [&](OpPassManager &manager) {
    return flags.passes.addToPipeline(manager, [](const Twine &message) {
      llvm::errs() << "te-bisect: error: " << message << "\n";
      return failure();
    });
  };
  return report(Bisection(*module, build, arguments, options)
                    .run(llvm::outs(), flags.printFunctions));
}
