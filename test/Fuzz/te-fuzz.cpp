// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The differential fuzzer (docs/testing.md).

#include "Campaign.h"
#include "Graph.h"
#include "Values.h"

#include "te/InitAll.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

namespace cl = llvm::cl;

namespace {
struct Flags {
  cl::OptionCategory category{"te-fuzz"};
  cl::list<std::string> files{cl::Positional, cl::desc("[FILE.mlir...]"),
                              cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::init(1), cl::cat(category),
                         cl::desc("Seed of the graphs (1)")};
  cl::opt<uint64_t> first{"first", cl::init(0), cl::cat(category),
                          cl::desc("Number of the first graph (0)")};
  cl::opt<uint64_t> count{"count", cl::init(1000), cl::cat(category),
                          cl::desc("How many graphs (1000)")};
  cl::opt<unsigned> jobs{"j", cl::init(1), cl::cat(category),
                         cl::desc("Processes at a time (1)")};
  cl::opt<unsigned> nativeEvery{
      "native-every", cl::init(8), cl::cat(category),
      cl::desc("Compile and run one graph in so many (8); 0 for none")};
  cl::opt<std::string> findings{
      "findings", cl::cat(category), cl::value_desc("folder"),
      cl::desc("Reduce failures and write them there")};
  cl::opt<bool> print{"print", cl::cat(category),
                      cl::desc("Print the graphs instead of checking them")};
  cl::opt<bool> refusals{"refusals", cl::cat(category),
                         cl::desc("List what was refused, and why")};
};
} // namespace

static void printSeen(StringRef title,
                      const std::map<std::string, CampaignSummary::Seen> &all) {
  for (const auto &[kind, seen] : all)
    llvm::outs() << title << " " << seen.times << " times, first graph "
                 << seen.first << ": " << seen.result.stage << ": "
                 << seen.result.message << "\n";
}

static int checkFiles(MLIRContext &context, const Flags &flags,
                      const CampaignOptions &options) {
  bool isGood = true;
  for (const std::string &path : flags.files) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
    if (!module)
      return 2;
    if (!module->lookupSymbol<func::FuncOp>("forward")) {
      llvm::errs() << "te-fuzz: error: '" << path
                   << "' has no function @forward\n";
      return 2;
    }
    for (const Result &result : checkFile(&context, *module, options)) {
      bool isFailure = result.ending == Ending::Failed;
      isGood &= !isFailure;
      llvm::outs() << path << ": " << (isFailure ? "FAILED" : "refused") << ": "
                   << result.stage << ": " << result.message << "\n";
    }
  }
  llvm::outs() << (isGood ? "passed\n" : "failed\n");
  return isGood ? 0 : 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Flags flags;
  cl::HideUnrelatedOptions(flags.category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "te-fuzz: checks every pass and compiled programs on random graphs, "
      "against\nfloat64 and finite differences. With files it checks these.\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();

  CampaignOptions options;
  options.seed = flags.seed;
  options.first = flags.first;
  options.count = flags.count;
  options.jobs = flags.jobs;
  options.nativeEvery = flags.nativeEvery;
  options.findings = flags.findings;
  if (!flags.files.empty())
    return checkFiles(context, flags, options);
  if (flags.print) {
    for (uint64_t i = 0; i < flags.count; ++i) {
      Choices choices = choicesOf(options, flags.first + i);
      generateGraph(&context, choices)
          ->print(llvm::outs(),
                  OpPrintingFlags().enableDebugInfo().assumeVerified());
      llvm::outs() << "\n";
    }
    return 0;
  }

  llvm::outs() << flags.count << " graphs of seed " << flags.seed
               << " from number " << flags.first << "\n";
  CampaignSummary summary = runCampaign(&context, options);
  uint64_t refused = 0;
  for (const auto &[kind, seen] : summary.refusals)
    refused += seen.times;
  const Tally &tally = summary.tally;
  llvm::outs() << tally.evaluations << " functions and " << tally.judged
               << " numbers compared, " << tally.derivatives
               << " derivatives (and " << tally.undecided
               << " at kinks or not finite), " << summary.native
               << " native programs\n"
               << refused << " refusals of " << summary.refusals.size()
               << " kinds\n";
  if (flags.refusals)
    printSeen("refused", summary.refusals);
  printSeen("FAILED", summary.failures);
  llvm::outs() << (summary.failures.empty() ? "passed\n" : "failed\n");
  return summary.failures.empty() ? 0 : 1;
}
