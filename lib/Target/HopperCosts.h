// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements on Hopper GPUs, as a cost model.

#ifndef TE_LIB_TARGET_HOPPERCOSTS_H
#define TE_LIB_TARGET_HOPPERCOSTS_H

#include "te/Dialect/TE/IR/TE.h"

#include <string>

namespace mlir::te {

/// The built-in figures.
MeasuredCostsAttr getHopperCosts(MLIRContext *context);

/// The built-in figures with the products of a tuning database:
/// getTunedCostModel of `target`.
MeasuredCostsAttr getTunedHopperCosts(MLIRContext *context, StringRef target,
                                      StringRef path, StringRef device,
                                      std::string &warning);

} // namespace mlir::te

#endif // TE_LIB_TARGET_HOPPERCOSTS_H
