// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became FP8, what did not and why, memory and slots, for a person.

#ifndef TE_TOOLS_TE_COMPILE_REPORT_H
#define TE_TOOLS_TE_COMPILE_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <memory>

namespace mlir::te {

/// Collects the remarks of the passes that run on a context.
class Report {
public:
  /// Starts to collect on `context`, which must not have remarks enabled.
  static FailureOr<std::unique_ptr<Report>> collect(MLIRContext &context);

  /// Writes what was collected, with the memory, states and slots that the
  /// artifact's description gives.
  void write(llvm::raw_ostream &os,
             const llvm::json::Object &description) const;

private:
  class Streamer;
  struct Entry {
    std::string category, kind, path, text;
  };
  std::vector<Entry> entries;
};

} // namespace mlir::te

#endif // TE_TOOLS_TE_COMPILE_REPORT_H
