// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements on Hopper GPUs, as a cost model, and what follows from them for
// GPUs on which nothing was measured.

#ifndef TE_LIB_TARGET_HOPPERCOSTS_H
#define TE_LIB_TARGET_HOPPERCOSTS_H

#include "te/Dialect/TE/IR/TE.h"

#include <string>

namespace mlir::te {

/// Of a GPU's data sheet: FLOP/s of dense products with sums in float32, and
/// bytes of memory per second.
struct DataSheet {
  StringRef device;
  double f8; ///< 0: no matrix units for FP8
  double bf16, f32, bytes;
  int multiprocessors;
};

/// Costs of a GPU on which nothing was measured: it attains the same part of
/// its data sheet as an H200, and starts kernels as fast. The device's name in
/// it says so.
MeasuredCostsAttr getDataSheetCosts(MLIRContext *context, const DataSheet &gpu);

/// The built-in figures.
MeasuredCostsAttr getHopperCosts(MLIRContext *context);

/// The built-in figures with the products of a tuning database:
/// getTunedCostModel of `target`.
MeasuredCostsAttr getTunedHopperCosts(MLIRContext *context, StringRef target,
                                      StringRef path, StringRef device,
                                      std::string &warning);

} // namespace mlir::te

#endif // TE_LIB_TARGET_HOPPERCOSTS_H
