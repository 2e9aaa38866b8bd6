// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the entry points of a module take, by kernel.

#ifndef TE_ANALYSIS_COSTSUMMARY_H
#define TE_ANALYSIS_COSTSUMMARY_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::te {

/// All calls of one kernel, whatever it does besides.
struct KernelCosts {
  std::string kernel;
  int64_t calls = 0;
  Cost cost;
  double floorSeconds = 0;
  /// Calls that the model does not know, in none of the sums.
  int64_t unknownCalls = 0;
};

struct EntryCosts {
  std::string entry;
  /// The longest first.
  std::vector<KernelCosts> kernels;

  /// Of all of them; the kernel's name is empty.
  KernelCosts getTotal() const;
};

/// Of every function with `te.entry` by the cost model of the module; nothing
/// without one. The functions hold te ops on tensors, before te-to-tert.
std::vector<EntryCosts> summarizeCosts(ModuleOp module);

} // namespace mlir::te

#endif // TE_ANALYSIS_COSTSUMMARY_H
