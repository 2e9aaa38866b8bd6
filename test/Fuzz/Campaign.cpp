// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Campaign.h"

#include "Findings.h"
#include "Graph.h"
#include "Native.h"
#include "Worker.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

/// Graphs that one child checks, and the native programs in one module.
static constexpr uint64_t kShard = 128;

GraphChecker::GraphChecker(MLIRContext *context, const CampaignOptions &options)
    : context(context), passes(context) {
  if (!options.plant.empty()) {
    auto [pass, instead] = StringRef(options.plant).split('=');
    passes.replace(pass, instead);
  }
}

SmallVector<Result> GraphChecker::check(ModuleOp graph) {
  SmallVector<Result> results;
  auto run = [&](Result result) {
    if (!result)
      results.push_back(std::move(result));
    return results.empty() || results.back().ending != Ending::Failed;
  };
  if (run(checkRoundTrip(graph)) && run(checkForward(graph, passes, tally)))
    run(checkGradients(graph, passes, tally));
  return results;
}

Choices fuzz::choicesOf(const CampaignOptions &options, uint64_t number) {
  return Choices(options.seed * 0x9e3779b97f4a7c15ull + number);
}

static const ProgramKind *nativeKindOf(const CampaignOptions &options,
                                       uint64_t number) {
  if (options.nativeEvery == 0 || number % options.nativeEvery != 0)
    return nullptr;
  ArrayRef<ProgramKind> kinds = getProgramKinds();
  return &kinds[number / options.nativeEvery % kinds.size()];
}

/// What a child tells: a line for each result, and one with its tally.
static std::string checkMany(MLIRContext *context,
                             const CampaignOptions &options, uint64_t begin,
                             uint64_t end) {
  GraphChecker checker(context, options);
  NativeBatch batch(context, checker.passes, checker.tally);
  std::string output;
  auto tell = [&](uint64_t number, const Result &result) {
    if (!result)
      output += std::to_string(number) + "\t" + toLine(result) + "\n";
  };
  uint64_t native = 0;
  for (uint64_t number = begin; number < end; ++number) {
    Choices choices = choicesOf(options, number);
    OwningOpRef<ModuleOp> graph = generateGraph(context, choices);
    SmallVector<Result> results = checker.check(*graph);
    for (const Result &result : results)
      tell(number, result);
    const ProgramKind *kind = nativeKindOf(options, number);
    bool isGood = llvm::none_of(results, [](const Result &result) {
      return result.ending == Ending::Failed;
    });
    if (kind && isGood) {
      Result added = batch.add(number, *graph, *kind);
      tell(number, added);
      native += bool(added);
    }
  }
  for (const NativeBatch::Ended &ended : batch.run())
    tell(ended.number, ended.result);
  const Tally &tally = checker.tally;
  output +=
      llvm::formatv("tally\t{0}\t{1}\t{2}\t{3}\t{4}\n", tally.evaluations,
                    tally.judged, tally.derivatives, tally.undecided, native);
  return output;
}

namespace {

class Campaign {
public:
  Campaign(MLIRContext *context, const CampaignOptions &options)
      : context(context), options(options) {}

  CampaignSummary run();

private:
  void read(const ChildEnd &end, uint64_t begin);
  void count(uint64_t number, const Result &result);
  void write(const std::string &kind, const CampaignSummary::Seen &seen);
  /// The failure of this kind that a graph has, if it has it.
  std::optional<Result> find(const Choices &choices, uint64_t number,
                             const std::string &kind);

  MLIRContext *context;
  const CampaignOptions &options;
  CampaignSummary summary;
  unsigned numWritten = 0;
};

} // namespace

void Campaign::count(uint64_t number, const Result &result) {
  auto &seen =
      result.ending == Ending::Refused ? summary.refusals : summary.failures;
  CampaignSummary::Seen &entry = seen[kindOf(result)];
  if (entry.times++ == 0 || number < entry.first) {
    entry.first = number;
    entry.result = result;
  }
}

void Campaign::read(const ChildEnd &end, uint64_t begin) {
  SmallVector<StringRef> lines;
  StringRef(end.output).split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    auto [first, rest] = line.split('\t');
    uint64_t number;
    if (!first.getAsInteger(10, number)) {
      count(number, fromLine(rest));
      continue;
    }
    SmallVector<StringRef> words;
    rest.split(words, '\t');
    int64_t numbers[5] = {};
    for (auto [value, word] : llvm::zip(numbers, words))
      word.getAsInteger(10, value);
    summary.tally.evaluations += numbers[0];
    summary.tally.judged += numbers[1];
    summary.tally.derivatives += numbers[2];
    summary.tally.undecided += numbers[3];
    summary.native += uint64_t(numbers[4]);
  }
}

std::optional<Result> Campaign::find(const Choices &choices, uint64_t number,
                                     const std::string &kind) {
  ChildEnd end = runInChild(options.secondsPerGraph, [&] {
    Choices again(choices.taken().vec());
    OwningOpRef<ModuleOp> graph = generateGraph(context, again);
    GraphChecker checker(context, options);
    std::string output;
    for (const Result &result : checker.check(*graph))
      output += "0\t" + toLine(result) + "\n";
    if (const ProgramKind *program = nativeKindOf(options, number)) {
      NativeBatch batch(context, checker.passes, checker.tally);
      if (Result added = batch.add(0, *graph, *program); !added)
        output += "0\t" + toLine(added) + "\n";
      for (const NativeBatch::Ended &ended : batch.run())
        output += "0\t" + toLine(ended.result) + "\n";
    }
    return output;
  });
  if (end.signal) {
    Result crash{Ending::Failed, "crash", describeSignal(end.signal)};
    return kindOf(crash) == kind ? std::optional(crash) : std::nullopt;
  }
  SmallVector<StringRef> lines;
  StringRef(end.output).split(lines, '\n', -1, false);
  for (StringRef line : lines)
    if (Result result = fromLine(line.split('\t').second);
        result.ending == Ending::Failed && kindOf(result) == kind)
      return result;
  return std::nullopt;
}

/// Reduces a failure and writes the graph with what goes wrong.
void Campaign::write(const std::string &kind,
                     const CampaignSummary::Seen &seen) {
  Choices original = choicesOf(options, seen.first);
  (void)generateGraph(context, original);
  std::vector<uint32_t> best =
      reduceChoices(original, /*attempts=*/400, [&](Choices &choices) {
        (void)generateGraph(context, choices);
        return find(choices, seen.first, kind).has_value();
      });
  Choices reduced(best);
  OwningOpRef<ModuleOp> graph = generateGraph(context, reduced);
  Result result = find(reduced, seen.first, kind).value_or(seen.result);
  llvm::SmallString<128> path(options.findings);
  llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(
      path, llvm::formatv("{0}-{1}.mlir", options.seed, seen.first).str());
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    llvm::errs() << "te-fuzz: cannot write '" << path
                 << "': " << error.message() << "\n";
    return;
  }
  file << "// " << result.stage << ": " << result.message << "\n"
       << "// Graph " << seen.first << " of seed " << options.seed
       << ", reduced; seen " << seen.times << " times. To see it again:\n"
       << "//   te-fuzz " << llvm::sys::path::filename(path) << "\n";
  graph->print(file, OpPrintingFlags().enableDebugInfo());
  file << "\n";
  ++numWritten;
}

CampaignSummary Campaign::run() {
  auto each = [&](std::vector<std::pair<uint64_t, uint64_t>> ranges) {
    std::vector<std::pair<uint64_t, uint64_t>> crashed;
    runInChildren(
        ranges.size(), options.jobs, unsigned(options.secondsPerGraph * 4),
        [&](size_t i) {
          return checkMany(context, options, ranges[i].first, ranges[i].second);
        },
        [&](size_t i, const ChildEnd &end) {
          auto [begin, stop] = ranges[i];
          if (end.signal == 0)
            return read(end, begin);
          if (stop - begin > 1)
            crashed.push_back(ranges[i]);
          else
            count(begin, {Ending::Failed, "crash", describeSignal(end.signal)});
        });
    return crashed;
  };
  std::vector<std::pair<uint64_t, uint64_t>> ranges, single;
  uint64_t last = options.first + options.count;
  for (uint64_t at = options.first; at < last; at += kShard)
    ranges.push_back({at, std::min(at + kShard, last)});
  // The graphs of a child that did not come back are looked at one by one.
  for (auto [begin, end] : each(std::move(ranges)))
    for (uint64_t number = begin; number < end; ++number)
      single.push_back({number, number + 1});
  each(std::move(single));
  summary.graphs = options.count;
  if (!options.findings.empty())
    for (const auto &[kind, seen] : summary.failures)
      write(kind, seen);
  return summary;
}

CampaignSummary fuzz::runCampaign(MLIRContext *context,
                                  const CampaignOptions &options) {
  return Campaign(context, options).run();
}

SmallVector<Result> fuzz::checkFile(MLIRContext *context, ModuleOp graph,
                                    const CampaignOptions &options) {
  GraphChecker checker(context, options);
  SmallVector<Result> results = checker.check(graph);
  for (const ProgramKind &kind : getProgramKinds()) {
    NativeBatch batch(context, checker.passes, checker.tally);
    if (Result added = batch.add(0, graph, kind); !added)
      results.push_back(added);
    for (const NativeBatch::Ended &ended : batch.run())
      if (!ended.result)
        results.push_back(ended.result);
  }
  return results;
}
