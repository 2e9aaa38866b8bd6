// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassOrder.h"

#include "Graph.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

namespace {
/// A pass and texts of its options, the simplest first.
struct PassChoice {
  StringRef name;
  std::vector<StringRef> options;
};
} // namespace

/// In the order in which pipelines run them.
static const std::vector<PassChoice> &getPasses() {
  static const std::vector<PassChoice> passes = {
      {"te-raise", {""}},
      {"te-attach-costs", {"target=sm_90"}},
      {"te-merge-linears", {"", "separate-frozen"}},
      {"te-fuse-elementwise", {""}},
      {"te-differentiate",
       {"entries=vjp loss=none", "entries=vjp,forward loss=none",
        "entries=grad loss=cross-entropy logits=y0", "entries=forward",
        "entries=train loss=cross-entropy<reduction=sum>", ""}},
      {"te-set-compute-type", {"", "type=f32"}},
      {"te-set-boundary-type", {""}},
      {"te-partition", {"", "policy=*=high", "policy=*=fp8"}},
      {"te-quantize",
       {"", "recipe=#te.delayed_scaling<history=1,format=e4m3>",
        "recipe=#te.row_scaling", "recipe=#te.block_scaling",
        "recipe=#te.mxfp8_scaling"}},
      {"te-validate-precision", {""}},
      {"te-fuse", {""}},
      {"te-fuse-loss",
       {"", "max-bytes=64 row-multiple=1", "class-multiple=1",
        "max-bytes=1 row-multiple=2 class-multiple=16"}},
      {"te-to-tert", {""}},
      {"tert-quantize-blocks", {""}},
      {"tert-bufferize", {""}},
      {"tert-materialize-results", {""}},
      {"tert-separate-reads", {""}},
      {"tert-one-shot-bufferize", {""}},
      {"tert-lower-transposes", {""}},
      {"tert-forward-copies", {""}},
      {"tert-reuse-inputs", {""}},
      {"tert-remove-self-copies", {""}},
      {"tert-join-dimensions", {""}},
      {"tert-outline-kernels", {""}},
      {"tert-fuse-additions", {""}},
      {"tert-join-updates", {""}},
      {"tert-bucket-collectives", {""}},
      {"tert-recompute-copies", {"", "traffic=2.5"}},
      {"tert-quantize-concats", {""}},
      {"tert-split-rows", {"", "min-bytes=0"}},
      {"tert-reuse-rows", {"", "min-bytes=0"}},
      {"tert-align-scales", {""}},
      {"tert-plan-memory", {"", "alignment=16"}},
      {"te-kernels-to-llvm", {"", "target=sm_90"}},
      {"tert-to-llvm", {""}},
      {"canonicalize", {""}},
      {"cse", {""}},
      {"inline", {""}},
      {"symbol-dce", {""}},
  };
  return passes;
}

size_t PassOrderSubject::addCorpus(StringRef folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      paths.push_back(it->path());
  // Folders come in no order.
  llvm::sort(paths);
  ErrorCollector quiet(context);
  for (const std::string &path : paths) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      continue;
    SmallVector<StringRef> parts;
    (*buffer)->getBuffer().split(parts, "// -----");
    for (StringRef part : parts)
      if (parseSourceString<ModuleOp>(part, context))
        corpus.push_back(part.str());
  }
  return corpus.size();
}

OwningOpRef<ModuleOp> PassOrderSubject::makeModule(Choices &choices) {
  // The first decision stays, whatever is left out behind it.
  if (corpus.empty() || choices.below(2) == 0)
    return generateGraph(context, choices);
  ErrorCollector quiet(context);
  return parseSourceString<ModuleOp>(
      corpus[choices.below(uint32_t(corpus.size()))], context);
}

std::vector<std::string> PassOrderSubject::makeSequence(Choices &choices) {
  const std::vector<PassChoice> &passes = getPasses();
  std::vector<std::string> sequence;
  // Half of the sequences go the usual way for a while.
  bool isOrdered = choices.once(2);
  uint32_t next = 0;
  for (unsigned i = 0; i < 24; ++i) {
    choices.beginSpan();
    bool goesOn = choices.below(isOrdered ? 24 : 8) != 0;
    if (goesOn) {
      if (isOrdered && !choices.once(12))
        next += choices.below(3);
      else
        next = choices.below(uint32_t(passes.size()));
      const PassChoice &pass = passes[next % passes.size()];
      StringRef options =
          choices.once(2)
              ? pass.options[choices.below(uint32_t(pass.options.size()))]
              : pass.options[0];
      std::string text = pass.name.str();
      if (!options.empty())
        text += ("{" + options + "}").str();
      sequence.push_back(text);
      ++next;
    }
    choices.endSpan();
    if (!goesOn)
      break;
  }
  return sequence;
}

void PassOrderSubject::check(Choices &choices, uint64_t number,
                             PassRunner &passes, Account &account) {
  // The passes are decided first: they are what is left out first.
  std::vector<std::string> sequence = makeSequence(choices);
  OwningOpRef<ModuleOp> module = makeModule(choices);
  for (const std::string &pass : sequence) {
    Result result = passes.run(*module, pass);
    account.add(number, result);
    ++account.tally.evaluations;
    if (!result)
      return;
  }
}

Account PassOrderSubject::checkMany(const CampaignOptions &options,
                                    uint64_t begin, uint64_t end) {
  Account account;
  PassRunner passes(context);
  for (uint64_t number = begin; number < end; ++number) {
    Choices choices = choicesOf(options, number);
    check(choices, number, passes, account);
  }
  return account;
}

Account PassOrderSubject::checkOne(Choices &choices, uint64_t number) {
  Account account;
  PassRunner passes(context);
  check(choices, number, passes, account);
  return account;
}

void PassOrderSubject::make(Choices &choices) {
  (void)makeSequence(choices);
  (void)makeModule(choices);
}

void PassOrderSubject::write(llvm::raw_ostream &os, Choices &choices,
                             StringRef name, StringRef about) {
  os << "// " << about << "\n//   te-opt";
  // As flags, which nest passes on functions.
  for (StringRef pass : makeSequence(choices)) {
    auto [flag, options] = pass.split('{');
    os << " --" << flag;
    if (options.consume_back("}"))
      os << "='" << options << "'";
  }
  os << " " << name << "\n";
  makeModule(choices)->print(os, OpPrintingFlags().enableDebugInfo());
  os << "\n";
}
