// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became FP8 and what was fused, what was not and why, times, memory and
// slots, for a person.

#ifndef TE_TOOLS_TE_COMPILE_REPORT_H
#define TE_TOOLS_TE_COMPILE_REPORT_H

#include "te/Analysis/CostSummary.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <memory>

namespace mlir::te {

/// Collects the remarks of the passes that run on a context.
class Report {
public:
  /// Starts to collect on `context`, which must not have remarks enabled.
  static FailureOr<std::unique_ptr<Report>> collect(MLIRContext &context);

  /// Adds what the entries of `module` take on its target, by the cost model it
  /// has; nothing without one.
  void addCosts(ModuleOp module);

  /// Writes what was collected, with the memory, states and slots that the
  /// artifact's description gives.
  void write(llvm::raw_ostream &os,
             const llvm::json::Object &description) const;

private:
  class Streamer;
  struct Entry {
    std::string category, kind, path, text;
    /// The times that a decision was made by, or empty.
    std::string figures;
  };
  void writeRemarks(llvm::raw_ostream &os) const;
  void writeCosts(llvm::raw_ostream &os) const;

  std::vector<Entry> entries;
  std::string device;
  std::vector<EntryCosts> costs;
};

} // namespace mlir::te

#endif // TE_TOOLS_TE_COMPILE_REPORT_H
