// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Campaign.h"

#include "Findings.h"
#include "Worker.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

/// Cases that one child checks.
static constexpr uint64_t kShard = 128;

Subject::~Subject() = default;

Choices fuzz::choicesOf(const CampaignOptions &options, uint64_t number) {
  return Choices(options.seed * 0x9e3779b97f4a7c15ull + number);
}

//===----------------------------------------------------------------------===//
// Accounts as text, from a child to its parent
//===----------------------------------------------------------------------===//

static std::string toText(const Account &account) {
  std::string text;
  for (const Account::Entry &entry : account.entries)
    text += std::to_string(entry.number) + "\t" + toLine(entry.result) + "\n";
  text += "tally";
  for (int64_t Tally::*number : Tally::kNumbers)
    text += "\t" + std::to_string(account.tally.*number);
  return text + "\n";
}

static Account fromText(StringRef text) {
  Account account;
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    auto [first, rest] = line.split('\t');
    uint64_t number;
    if (!first.getAsInteger(10, number)) {
      account.add(number, fromLine(rest));
      continue;
    }
    SmallVector<StringRef> words;
    rest.split(words, '\t');
    for (auto [number, word] : llvm::zip(Tally::kNumbers, words))
      word.getAsInteger(10, account.tally.*number);
  }
  return account;
}

namespace {

class Campaign {
public:
  Campaign(Subject &subject, const CampaignOptions &options)
      : subject(subject), options(options) {}

  CampaignSummary run();

private:
  using Range = std::pair<uint64_t, uint64_t>;
  std::vector<Range> check(ArrayRef<Range> ranges, unsigned seconds);
  void count(uint64_t number, const Result &result);
  void write(const std::string &kind, const CampaignSummary::Seen &seen);
  std::optional<Result> find(ArrayRef<uint32_t> choices, uint64_t number,
                             const std::string &kind);

  Subject &subject;
  const CampaignOptions &options;
  CampaignSummary summary;
};

} // namespace

void Campaign::count(uint64_t number, const Result &result) {
  auto &all =
      result.ending == Ending::Refused ? summary.refusals : summary.failures;
  CampaignSummary::Seen &seen = all[kindOf(result)];
  if (seen.times++ == 0 || number < seen.first) {
    seen.first = number;
    seen.result = result;
  }
}

/// Checks ranges of cases, and returns those whose child did not come back.
std::vector<Campaign::Range> Campaign::check(ArrayRef<Range> ranges,
                                             unsigned seconds) {
  std::vector<Range> crashed;
  runInChildren(
      ranges.size(), options.jobs, seconds,
      [&](size_t i) {
        return toText(
            subject.checkMany(options, ranges[i].first, ranges[i].second));
      },
      [&](size_t i, const ChildEnd &end) {
        auto [begin, stop] = ranges[i];
        if (end.signal && stop - begin > 1)
          return crashed.push_back(ranges[i]);
        if (end.signal)
          return count(begin,
                       {Ending::Failed, "crash", describeSignal(end.signal)});
        Account account = fromText(end.output);
        for (const Account::Entry &entry : account.entries)
          count(entry.number, entry.result);
        summary.tally += account.tally;
      });
  return crashed;
}

/// The failure of this kind that a case has, if it has it.
std::optional<Result> Campaign::find(ArrayRef<uint32_t> decisions,
                                     uint64_t number, const std::string &kind) {
  ChildEnd end = runInChild(options.secondsPerCase, [&] {
    Choices choices(decisions.vec());
    return toText(subject.checkOne(choices, number));
  });
  if (end.signal) {
    Result crash{Ending::Failed, "crash", describeSignal(end.signal)};
    return kindOf(crash) == kind ? std::optional(crash) : std::nullopt;
  }
  for (const Account::Entry &entry : fromText(end.output).entries)
    if (entry.result.ending == Ending::Failed && kindOf(entry.result) == kind)
      return entry.result;
  return std::nullopt;
}

/// Reduces a failure and writes the case with what goes wrong.
void Campaign::write(const std::string &kind,
                     const CampaignSummary::Seen &seen) {
  Choices original = choicesOf(options, seen.first);
  subject.make(original);
  std::vector<uint32_t> best = reduceChoices(
      original, options.attempts,
      [&](Choices &choices) { subject.make(choices); },
      [&](ArrayRef<uint32_t> decisions) {
        return find(decisions, seen.first, kind).has_value();
      });
  Result result = find(best, seen.first, kind).value_or(seen.result);
  std::string name =
      llvm::formatv("{0}-{1}.mlir", options.seed, seen.first).str();
  llvm::SmallString<128> path(options.findings);
  llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(path, name);
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    llvm::errs() << "te-fuzz: error: cannot write '" << path
                 << "': " << error.message() << "\n";
    return;
  }
  Choices choices(best);
  subject.write(file, choices, name,
                llvm::formatv("{0}: {1}\n// Case {2} of seed {3}, reduced; "
                              "seen {4} times. To see it again:",
                              result.stage, result.message, seen.first,
                              options.seed, seen.times)
                    .str());
}

CampaignSummary Campaign::run() {
  std::vector<Range> ranges, single;
  uint64_t last = options.first + options.count;
  for (uint64_t at = options.first; at < last; at += kShard)
    ranges.push_back({at, std::min(at + kShard, last)});
  // The cases of a child that did not come back are looked at one by one.
  for (auto [begin, end] : check(ranges, options.secondsPerShard))
    for (uint64_t number = begin; number < end; ++number)
      single.push_back({number, number + 1});
  check(single, options.secondsPerCase);
  if (!options.findings.empty())
    for (const auto &[kind, seen] : summary.failures)
      write(kind, seen);
  return summary;
}

CampaignSummary fuzz::runCampaign(Subject &subject,
                                  const CampaignOptions &options) {
  return Campaign(subject, options).run();
}
