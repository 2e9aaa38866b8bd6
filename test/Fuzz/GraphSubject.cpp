// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphSubject.h"

#include "Graph.h"
#include "Native.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

/// One graph in so many is trained a step.
static constexpr uint64_t kStepEvery = 4;

namespace {

/// Checks graphs one after the other, and their programs together.
class GraphChecker {
public:
  GraphChecker(const GraphSubject &subject, uint64_t first = 0)
      : onlyPrograms(!subject.packed.empty()), passes(subject.context),
        batch(subject.context, passes, account.tally) {
    auto [pass, instead] = StringRef(subject.planted).split('=');
    if (!instead.empty())
      passes.replace(pass, instead);
    if (onlyPrograms) {
      batch.packAs = subject.packed + "/graphs-" + std::to_string(first);
      batch.packFor = subject.packedFor;
    }
  }

  void check(uint64_t number, ModuleOp graph, ArrayRef<ProgramKind> kinds) {
    auto isGood = [&](const Result &result) {
      account.add(number, result);
      return result.ending != Ending::Failed;
    };
    if (!onlyPrograms) {
      GraphChecks checks(graph, passes, account.tally);
      if (!isGood(checks.checkRoundTrip()) || !isGood(checks.checkForward()) ||
          !isGood(checks.checkGradients()) || !isGood(checks.checkQuantized()))
        return;
      // Most of a step is what gradients are.
      if (number % kStepEvery == 0 &&
          !isGood(checks.checkStep(unsigned(number / kStepEvery))))
        return;
    }
    for (const ProgramKind &kind : kinds)
      account.add(number, batch.add(number, graph, kind));
  }

  Account finish() {
    for (const NativeBatch::Ended &ended : batch.run())
      account.add(ended.number, ended.result);
    return std::move(account);
  }

private:
  bool onlyPrograms;
  Account account;
  PassRunner passes;
  NativeBatch batch;
};

} // namespace

static ArrayRef<ProgramKind> kindsOf(unsigned every, uint64_t number) {
  if (every == 0 || number % every != 0)
    return {};
  ArrayRef<ProgramKind> kinds = getProgramKinds();
  return kinds.slice(number / every % kinds.size(), 1);
}

Account GraphSubject::checkMany(const CampaignOptions &options, uint64_t begin,
                                uint64_t end) {
  GraphChecker checker(*this, begin);
  for (uint64_t number = begin; number < end; ++number) {
    Choices choices = choicesOf(options, number);
    OwningOpRef<ModuleOp> graph = generateGraph(context, choices);
    checker.check(number, *graph, kindsOf(nativeEvery, number));
  }
  return checker.finish();
}

Account GraphSubject::checkOne(Choices &choices, uint64_t number) {
  GraphChecker checker(*this);
  OwningOpRef<ModuleOp> graph = generateGraph(context, choices);
  checker.check(number, *graph, kindsOf(nativeEvery, number));
  return checker.finish();
}

void GraphSubject::make(Choices &choices) {
  (void)generateGraph(context, choices);
}

void GraphSubject::write(llvm::raw_ostream &os, Choices &choices,
                         StringRef name, StringRef about) {
  OwningOpRef<ModuleOp> graph = generateGraph(context, choices);
  os << "// " << about << "\n//   te-fuzz " << name << "\n";
  graph->print(os, OpPrintingFlags().enableDebugInfo());
  os << "\n";
}

Account GraphSubject::checkFile(ModuleOp graph) {
  GraphChecker checker(*this);
  checker.check(0, graph, getProgramKinds());
  return checker.finish();
}
