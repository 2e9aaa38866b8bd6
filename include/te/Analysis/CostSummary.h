// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of the entry points of a module, by kernel.

#ifndef TE_ANALYSIS_COSTSUMMARY_H
#define TE_ANALYSIS_COSTSUMMARY_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::te {

/// All calls of one kernel.
struct KernelCosts {
  std::string kernel;
  int64_t calls = 0;
  Cost cost;
  double floorSeconds = 0;
  /// Calls unknown to the model, which are in none of the sums.
  int64_t unknownCalls = 0;
};

struct EntryCosts {
  std::string entry;
  /// The longest first.
  std::vector<KernelCosts> kernels;

  /// The total of all kernels, with an empty name.
  KernelCosts getTotal() const;
};

/// The costs of every function with `te.entry` by the cost model of the module;
/// empty without one. The functions contain te ops on tensors, before
/// te-to-tert.
std::vector<EntryCosts> summarizeCosts(ModuleOp module);

} // namespace mlir::te

#endif // TE_ANALYSIS_COSTSUMMARY_H
