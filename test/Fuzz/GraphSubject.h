// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs as cases: every check of every pass, and of a program.

#ifndef TE_TEST_FUZZ_GRAPHSUBJECT_H
#define TE_TEST_FUZZ_GRAPHSUBJECT_H

#include "Campaign.h"

namespace mlir::te::fuzz {

struct GraphSubject : Subject {
  explicit GraphSubject(MLIRContext *context) : context(context) {}

  Account checkMany(const CampaignOptions &options, uint64_t begin,
                    uint64_t end) override;
  Account checkOne(Choices &choices, uint64_t number) override;
  void make(Choices &choices) override;
  void write(llvm::raw_ostream &os, Choices &choices, StringRef name,
             StringRef about) override;

  /// Checks the graph of a file, compiled in every way.
  Account checkFile(ModuleOp graph);

  MLIRContext *context;
  /// One graph in so many is compiled and run; 0: none.
  unsigned nativeEvery = 8;
  /// Folder for programs compiled for \p packedFor, "sm_90" or "cpu", with what
  /// they are run on; empty: none. Then nothing but programs is checked.
  std::string packed, packedFor = "sm_90";
  /// Another pipeline for a pass: "cse=test-te-planted-bug", for a test of the
  /// fuzzer; usually empty.
  std::string planted;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_GRAPHSUBJECT_H
