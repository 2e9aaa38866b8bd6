// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes in any order: each of them succeeds or says why not.

#ifndef TE_TEST_FUZZ_PASSORDER_H
#define TE_TEST_FUZZ_PASSORDER_H

#include "Campaign.h"

namespace mlir::te::fuzz {

/// Random sequences of all passes of this project, with random options, and of
/// upstream's that go with them, on random graphs and on modules of files.
class PassOrderSubject : public Subject {
public:
  explicit PassOrderSubject(MLIRContext *context) : context(context) {}

  /// Adds the modules of all .mlir files below a folder; what cannot be read
  /// without flags is left out. Returns how many there are.
  size_t addCorpus(StringRef folder);

  Account checkMany(const CampaignOptions &options, uint64_t begin,
                    uint64_t end) override;
  Account checkOne(Choices &choices, uint64_t number) override;
  void make(Choices &choices) override;
  void write(llvm::raw_ostream &os, Choices &choices, StringRef name,
             StringRef about) override;

private:
  OwningOpRef<ModuleOp> makeModule(Choices &choices);
  static std::vector<std::string> makeSequence(Choices &choices);
  void check(Choices &choices, uint64_t number, PassRunner &passes,
             Account &account);

  MLIRContext *context;
  std::vector<std::string> corpus;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_PASSORDER_H
