// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many random cases in children, and what becomes of their failures.

#ifndef TE_TEST_FUZZ_CAMPAIGN_H
#define TE_TEST_FUZZ_CAMPAIGN_H

#include "Checks.h"
#include "Choices.h"

#include <map>

namespace mlir::te::fuzz {

struct CampaignOptions {
  uint64_t seed = 1;
  uint64_t first = 0, count = 1000;
  unsigned jobs = 1;
  /// Processor seconds that one case may take, and that some hundred may.
  unsigned secondsPerCase = 20, secondsPerShard = 120;
  /// How long a reduction may go on.
  unsigned attempts = 400;
  /// Folder for reduced failures; empty: they are only counted.
  std::string findings;
};

/// What one case, or many, came to.
struct Account {
  struct Entry {
    uint64_t number;
    Result result; ///< not Done
  };
  std::vector<Entry> entries;
  Tally tally;

  void add(uint64_t number, const Result &result) {
    if (!result)
      entries.push_back({number, result});
  }
};

/// A kind of cases. Everything that may crash runs in a child.
class Subject {
public:
  virtual ~Subject();
  /// Checks the cases [begin, end).
  virtual Account checkMany(const CampaignOptions &options, uint64_t begin,
                            uint64_t end) = 0;
  /// Checks one, as checkMany does with case `number`, but by these decisions.
  virtual Account checkOne(Choices &choices, uint64_t number) = 0;
  /// Makes the case without checking it, so that the decisions are taken.
  virtual void make(Choices &choices) = 0;
  /// Writes the case as a file that te-fuzz or te-opt reads. `name` is the
  /// file's, `about` says what is wrong.
  virtual void write(llvm::raw_ostream &os, Choices &choices, StringRef name,
                     StringRef about) = 0;
};

/// Everything that happened.
struct CampaignSummary {
  Tally tally;
  /// How often, and in which case first, per kind of message.
  struct Seen {
    uint64_t times = 0, first = 0;
    Result result;
  };
  std::map<std::string, Seen> refusals, failures;
};

/// The decisions of case `number`.
Choices choicesOf(const CampaignOptions &options, uint64_t number);

CampaignSummary runCampaign(Subject &subject, const CampaignOptions &options);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_CAMPAIGN_H
