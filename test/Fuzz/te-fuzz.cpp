// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The differential fuzzer (docs/testing.md).

#include "Campaign.h"
#include "Graph.h"
#include "GraphSubject.h"
#include "PassOrder.h"

#include "te/InitAll.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
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
  cl::opt<std::string> pack{
      "pack", cl::cat(category), cl::value_desc("folder"),
      cl::desc("Compile the graphs for a GPU and put them there, with what the "
               "CPU\nhas passed; te-fuzz-replay runs them")};
  cl::opt<std::string> packFor{"pack-for", cl::cat(category), cl::init("sm_90"),
                               cl::desc("With --pack: sm_90 (default) or cpu")};
  cl::opt<bool> print{"print", cl::cat(category),
                      cl::desc("Print the graphs instead of checking them")};
  cl::opt<bool> passOrder{
      "pass-order", cl::cat(category),
      cl::desc("Run passes in any order instead; all they must do is answer")};
  cl::list<std::string> corpus{
      "corpus", cl::cat(category), cl::value_desc("folder"),
      cl::desc("With --pass-order: folders whose .mlir files to run on, too")};
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

static int checkFiles(GraphSubject &subject,
                      const cl::list<std::string> &files) {
  bool isGood = true;
  for (const std::string &path : files) {
    OwningOpRef<ModuleOp> module =
        parseSourceFile<ModuleOp>(path, subject.context);
    if (!module)
      return 2;
    if (!module->lookupSymbol<func::FuncOp>("forward")) {
      llvm::errs() << "te-fuzz: error: '" << path
                   << "' has no function @forward\n";
      return 2;
    }
    for (const Account::Entry &entry : subject.checkFile(*module).entries) {
      bool isFailure = entry.result.ending == Ending::Failed;
      isGood &= !isFailure;
      llvm::outs() << path << ": " << (isFailure ? "FAILED" : "refused") << ": "
                   << entry.result.stage << ": " << entry.result.message
                   << "\n";
    }
  }
  llvm::outs() << (isGood ? "passed\n" : "failed\n");
  return isGood ? 0 : 1;
}

static void printGraphs(MLIRContext &context, const CampaignOptions &options) {
  for (uint64_t i = 0; i < options.count; ++i) {
    Choices choices = choicesOf(options, options.first + i);
    generateGraph(&context, choices)
        ->print(llvm::outs(), OpPrintingFlags().enableDebugInfo());
    llvm::outs() << "\n";
  }
}

static int report(const CampaignSummary &summary, bool listRefusals) {
  uint64_t refused = 0;
  for (const auto &[kind, seen] : summary.refusals)
    refused += seen.times;
  llvm::outs() << refused << " refusals of " << summary.refusals.size()
               << " kinds\n";
  if (listRefusals)
    printSeen("refused", summary.refusals);
  printSeen("FAILED", summary.failures);
  llvm::outs() << (summary.failures.empty() ? "passed\n" : "failed\n");
  return summary.failures.empty() ? 0 : 1;
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
  options.findings = flags.findings;
  GraphSubject graphs(&context);
  graphs.nativeEvery = flags.nativeEvery;
  graphs.packed = flags.pack;
  graphs.packedFor = flags.packFor;
  if (!flags.pack.empty()) {
    graphs.nativeEvery = 1;
    if (llvm::sys::fs::create_directories(flags.pack)) {
      llvm::errs() << "te-fuzz: error: cannot make the folder '" << flags.pack
                   << "'\n";
      return 2;
    }
  }
  if (!flags.files.empty())
    return checkFiles(graphs, flags.files);
  if (flags.print) {
    printGraphs(context, options);
    return 0;
  }

  llvm::outs() << flags.count << (flags.passOrder ? " sequences" : " graphs")
               << " of seed " << flags.seed << " from number " << flags.first
               << "\n";
  if (flags.passOrder) {
    PassOrderSubject orders(&context);
    for (const std::string &folder : flags.corpus)
      llvm::outs() << orders.addCorpus(folder) << " modules with those of "
                   << folder << "\n";
    llvm::outs().flush();
    CampaignSummary summary = runCampaign(orders, options);
    llvm::outs() << summary.tally.evaluations << " passes run\n";
    return report(summary, flags.refusals);
  }
  llvm::outs().flush();
  CampaignSummary summary = runCampaign(graphs, options);
  const Tally &tally = summary.tally;
  llvm::outs() << tally.evaluations << " functions and " << tally.judged
               << " numbers compared (" << tally.unchanged
               << " functions stayed as they were), " << tally.derivatives
               << " derivatives (and " << tally.undecided
               << " at kinks or not finite), " << tally.native
               << " native programs, " << tally.bounded
               << " values within their ranges\n";
  if (!flags.pack.empty())
    llvm::outs() << tally.packed << " programs for " << flags.packFor << " in '"
                 << flags.pack << "'\n";
  int code = report(summary, flags.refusals);
  if (!flags.pack.empty() && tally.packed == 0) {
    llvm::errs() << "te-fuzz: error: none of the graphs could be packed\n";
    return 2;
  }
  return code;
}
