// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that were compiled beforehand, for both targets.

#ifndef TE_TEST_INTEGRATION_CUDA_PROGRAMS_H
#define TE_TEST_INTEGRATION_CUDA_PROGRAMS_H

#include "session/Session.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace test {

/// A program with its states and one of its entries.
struct Program {
  std::unique_ptr<tert::session::Session> session;
  std::unique_ptr<tert::session::EntryCall> call;
  /// The entry of the microbatches before the last, if the program has it and
  /// the test wants it.
  std::unique_ptr<tert::session::EntryCall> accumulate;
};

/// A test over programs by name. Skipped, saying why, where there is no GPU.
class ProgramTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override;
  /// Opens the test's program for `target`, with its states at their first
  /// values. Fails the test where that cannot be.
  void open(Program &program, const std::string &target,
            const std::string &entry,
            const tert::session::SessionOptions &options = {});
};

} // namespace test

#endif // TE_TEST_INTEGRATION_CUDA_PROGRAMS_H
