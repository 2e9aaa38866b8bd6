// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions of passes and reports to a module's cost model.

#ifndef TE_ANALYSIS_COSTMODEL_H
#define TE_ANALYSIS_COSTMODEL_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/Remarks.h"

namespace mlir::te {

/// What the kernel of an op has to do; nothing for ops without one, such as
/// constants, reshapes and slices.
std::optional<Work> getWork(Operation *op);

/// The cost model that `te.costs` of a module is, or none.
class CostModel {
public:
  /// That of the module around `op`.
  explicit CostModel(Operation *op);

  explicit operator bool() const { return bool(model); }
  CostModelAttrInterface get() const { return model; }

  /// Of several kernels, one after the other; nothing without a model, or when
  /// it does not know one of them.
  std::optional<Cost> getCost(llvm::ArrayRef<Work> kernels) const;

private:
  CostModelAttrInterface model;
};

/// Two ways to compute the same, and what they take where a model knows both.
class CostComparison {
public:
  CostComparison() = default;
  CostComparison(const CostModel &model, llvm::ArrayRef<Work> fused,
                 llvm::ArrayRef<Work> apart);

  /// Other names than "Fused" and "Apart", for remarks.
  CostComparison &named(StringRef fusedName, StringRef apartName);

  bool isKnown() const { return fused && apart; }
  /// Whether to fuse: unless the other way is known to take less, by more than
  /// the part `margin` of it.
  bool favorsFused(double margin = 0) const;
  /// Seconds that fusing saves; negative when it loses, 0 when not known.
  double getGain() const;

  /// Adds the metrics FusedMicroseconds, ApartMicroseconds and Figures, which
  /// is "measured", "partly measured" or "estimated"; nothing if not known.
  void addTo(remark::detail::InFlightRemark &remark) const;
  /// A remark that fusing was missed because it takes longer, with the metrics.
  void reportSlower(Location loc, remark::RemarkOpts options) const;

private:
  std::optional<Cost> fused, apart;
  StringRef fusedName = "Fused", apartName = "Apart";
};

/// How a cost was found, for reports: "measured", "partly measured" or
/// "estimated".
StringRef getSourceName(const Cost &cost);

} // namespace mlir::te

#endif // TE_ANALYSIS_COSTMODEL_H
