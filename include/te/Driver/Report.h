// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became FP8 and what was fused, what was not and why, times, collectives
// among ranks, memory and slots: as Markdown or a page of HTML for a person, or
// as JSON for a program.

#ifndef TE_DRIVER_REPORT_H
#define TE_DRIVER_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::te {

class Calibration;
struct Plan;
struct ReportData;

/// Collects the remarks of the passes that run on a context.
class Report {
public:
  /// Starts to collect on `context`, which must not have remarks enabled.
  static FailureOr<std::unique_ptr<Report>> collect(MLIRContext &context);
  ~Report();

  /// Adds the operations of the entries of `module`, te ops on tensors, and
  /// what they take on its target by the cost model that it has, if any.
  void addProgram(ModuleOp module);
  /// Adds only what the entries take.
  void addCosts(ModuleOp module);
  /// Adds what a calibration says of the layers.
  void addCalibration(Calibration calibration);
  /// Adds the collectives; the plan must outlive the report.
  void addPlan(const Plan &plan);

  /// The products of linear layers.
  struct Products {
    size_t fp8 = 0, all = 0;
    /// Floating-point operations.
    double fp8Flops = 0, flops = 0;
    /// What the layers in FP8 are estimated to add to the loss, as a share of
    /// it; nothing without a calibration.
    std::optional<double> addsToLoss;
    /// Layers with a product that is not FP8, and why the first is not.
    std::vector<std::string> high;
    std::string why;
  };
  Products getProducts() const;

  /// Seconds that an entry takes by the cost model, and that it would take if
  /// its layers in FP8 were in high precision.
  struct Prediction {
    double seconds = 0, highSeconds = 0;
  };
  /// Nothing without a cost model, and where no layer is FP8.
  std::optional<Prediction> predict(StringRef entry) const;

  /// Writes what was collected about the model `source`, with the memory,
  /// states and slots that the artifact's description gives, if there is one;
  /// in the form that the ending of `path` says: `.json`, `.html`, or Markdown
  /// for any other.
  void write(llvm::raw_ostream &os, StringRef path, StringRef source,
             StringRef target, const llvm::json::Object &description) const;

private:
  class Streamer;
  Report();
  struct Entry {
    std::string category, name;
    std::string function;
    bool passed;
    /// The layer or module that the remark is about.
    std::string path;
    /// "fprop", "dgrad", "wgrad", and the product's sizes; or empty.
    std::string product, shape;
    double flops = 0;
    std::string text, suggestion;
    /// The times that a decision was made by, or empty.
    std::string figures;
    /// All arguments of the remark.
    std::vector<std::pair<std::string, std::string>> arguments;
  };
  void addProducts(ReportData &data) const;
  void addDecisions(ReportData &data) const;
  void addSensitivity(ReportData &data) const;

  std::vector<Entry> entries;
  /// What does not come from remarks.
  std::unique_ptr<ReportData> program;
  std::unique_ptr<Calibration> calibration; ///< May be null.
};

} // namespace mlir::te

#endif // TE_DRIVER_REPORT_H
