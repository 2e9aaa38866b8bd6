// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs pipelines by their text, and says how they ended.

#ifndef TE_TEST_FUZZ_PASSRUNNER_H
#define TE_TEST_FUZZ_PASSRUNNER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>

namespace mlir::te::fuzz {

/// How a pass, or a check, ended.
enum class Ending {
  Done,
  /// With a diagnostic: an answer.
  Refused,
  /// Without one, with invalid IR, or with wrong numbers: a bug.
  Failed
};

struct Result {
  Ending ending = Ending::Done;
  /// What ran: a pipeline, or a check's name.
  std::string stage;
  /// The first error, or what is wrong.
  std::string message;

  explicit operator bool() const { return ending == Ending::Done; }
};

class PassRunner {
public:
  explicit PassRunner(MLIRContext *context) : context(context) {}

  /// Runs `pipeline`, "te-raise,canonicalize", and verifies what it made. With
  /// \p changed it says whether that is something else than before.
  Result run(ModuleOp module, StringRef pipeline, bool *changed = nullptr);

  /// From now on `instead` runs where `pass` alone is asked for.
  void replace(StringRef pass, StringRef instead) {
    replaced[pass] = instead.str();
  }

private:
  MLIRContext *context;
  llvm::StringMap<std::string> replaced;
  llvm::StringMap<std::unique_ptr<PassManager>> managers;
};

/// The first error of what is emitted while this exists, which nobody else
/// sees.
class ErrorCollector {
public:
  explicit ErrorCollector(MLIRContext *context);
  const std::string &first() const { return text; }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_PASSRUNNER_H
