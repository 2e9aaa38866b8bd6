// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became FP8 and what was fused, what was not and why, times, collectives
// among ranks, memory and slots, for a person: Markdown.

#ifndef TE_DRIVER_REPORT_H
#define TE_DRIVER_REPORT_H

#include "te/Analysis/CostSummary.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <memory>

namespace mlir::te {

struct Plan;

/// Collects the remarks of the passes that run on a context.
class Report {
public:
  /// Starts to collect on `context`, which must not have remarks enabled.
  static FailureOr<std::unique_ptr<Report>> collect(MLIRContext &context);

  /// Adds what the entries of `module` take on its target, by the cost model it
  /// has; nothing without one.
  void addCosts(ModuleOp module);
  /// Adds the collectives; the plan must outlive the report.
  void addPlan(const Plan &plan) { this->plan = &plan; }

  /// The products of linear layers.
  struct Products {
    size_t fp8 = 0, all = 0;
    /// Layers with a product that is not FP8, and why the first is not.
    std::vector<std::string> high;
    std::string why;
  };
  Products getProducts() const;

  /// Writes what was collected about the model `source`, with the memory,
  /// states and slots that the artifact's description gives, if there is one.
  void write(llvm::raw_ostream &os, StringRef source, StringRef target,
             const llvm::json::Object &description) const;

private:
  class Streamer;
  struct Entry {
    std::string category, name;
    bool passed;
    /// The layer or module that the remark is about.
    std::string path;
    /// "fprop", "dgrad", "wgrad", and the product's sizes; or empty.
    std::string product, shape;
    std::string text, suggestion;
    /// The times that a decision was made by, or empty.
    std::string figures;
  };
  void writeLayers(llvm::raw_ostream &os) const;
  void writeDecisions(llvm::raw_ostream &os) const;
  void writeCosts(llvm::raw_ostream &os) const;

  std::vector<Entry> entries;
  std::string device;
  std::vector<EntryCosts> costs;
  const Plan *plan = nullptr;
};

} // namespace mlir::te

#endif // TE_DRIVER_REPORT_H
