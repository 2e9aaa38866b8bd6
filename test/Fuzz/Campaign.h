// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many graphs: who checks them, and what becomes of the failures.

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
  /// Every so many graphs one is compiled and run; 0: none.
  unsigned nativeEvery = 8;
  /// Processor seconds that one graph may take at most.
  unsigned secondsPerGraph = 20;
  /// Folder for reduced failures; empty: they are only counted.
  std::string findings;
  /// Replaces a pass by another, to see that a bug is found.
  std::string plant;
};

/// Everything that happened.
struct CampaignSummary {
  Tally tally;
  uint64_t graphs = 0, native = 0;
  /// How often, and with which graph first, per kind of message.
  struct Seen {
    uint64_t times = 0, first = 0;
    Result result;
  };
  std::map<std::string, Seen> refusals, failures;
};

/// Checks graph number `number`, or that of `choices`.
class GraphChecker {
public:
  GraphChecker(MLIRContext *context, const CampaignOptions &options);

  /// Results other than Done, of checks that do not need a compiler. Stops at
  /// the first failure.
  SmallVector<Result> check(ModuleOp graph);

  MLIRContext *context;
  PassRunner passes;
  Tally tally;
};

/// The decisions of graph `number`.
Choices choicesOf(const CampaignOptions &options, uint64_t number);

CampaignSummary runCampaign(MLIRContext *context,
                            const CampaignOptions &options);

/// Checks a graph of a file, in every way; returns what is not Done.
SmallVector<Result> checkFile(MLIRContext *context, ModuleOp graph,
                              const CampaignOptions &options);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_CAMPAIGN_H
