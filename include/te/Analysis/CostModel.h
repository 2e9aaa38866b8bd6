// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries of a module's cost model, for passes and reports.

#ifndef TE_ANALYSIS_COSTMODEL_H
#define TE_ANALYSIS_COSTMODEL_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/Remarks.h"

namespace mlir::te {

/// The work of an op's kernel; nullopt for ops without one, such as constants,
/// reshapes and slices.
std::optional<Work> getWork(Operation *op);

/// The cost model in `te.costs` of a module, if any.
class CostModel {
public:
  /// The model of the module around `op`.
  explicit CostModel(Operation *op);

  explicit operator bool() const { return bool(model); }
  CostModelAttrInterface get() const { return model; }

  /// The cost of several kernels, one after the other; nullopt without a model,
  /// or if one of them is unknown.
  std::optional<Cost> getCost(llvm::ArrayRef<Work> kernels) const;

private:
  CostModelAttrInterface model;
};

/// Two ways to compute the same result, and their costs if a model knows both.
class CostComparison {
public:
  CostComparison() = default;
  CostComparison(const CostModel &model, llvm::ArrayRef<Work> fused,
                 llvm::ArrayRef<Work> apart);
  CostComparison(std::optional<Cost> fused, std::optional<Cost> apart)
      : fused(fused), apart(apart) {}

  /// Sets names other than "Fused" and "Apart", for remarks.
  CostComparison &named(StringRef fusedName, StringRef apartName);

  bool isKnown() const { return fused && apart; }
  /// True unless the other way is known to take less.
  bool favorsFused() const;
  /// Seconds saved by fusing; negative for a loss, 0 if unknown.
  double getGain() const;

  /// Adds the metrics FusedMicroseconds, ApartMicroseconds and Figures, which
  /// is "measured", "partly measured" or "estimated"; adds nothing if unknown.
  void addTo(remark::detail::InFlightRemark &remark) const;
  /// Emits a remark that fusing was missed because it takes longer, with the
  /// metrics.
  void reportSlower(Location loc, remark::RemarkOpts options) const;

private:
  std::optional<Cost> fused, apart;
  StringRef fusedName = "Fused", apartName = "Apart";
};

/// The source of a cost, for reports: "measured", "partly measured" or
/// "estimated".
StringRef getSourceName(const Cost &cost);

} // namespace mlir::te

#endif // TE_ANALYSIS_COSTMODEL_H
