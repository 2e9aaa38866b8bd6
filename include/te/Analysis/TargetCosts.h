// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cost models of the targets that were measured.

#ifndef TE_ANALYSIS_TARGETCOSTS_H
#define TE_ANALYSIS_TARGETCOSTS_H

#include "te/Dialect/TE/IR/TE.h"

#include <string>

namespace mlir::te {

/// The built-in model of a target ("sm_90"); null for one that was not
/// measured.
MeasuredCostsAttr getTargetCosts(MLIRContext *context, StringRef target);

/// "sm_90": every target that getTargetCosts knows.
StringRef getTargetsWithCosts();

/// `costs` of `target` with what a tuning database has of one of its devices:
/// of those whose name begins with `device`, the one with the most products.
/// When nothing can be taken from the file, `warning` says why and `costs` come
/// back as they are.
MeasuredCostsAttr addTunedProducts(MeasuredCostsAttr costs, StringRef target,
                                   StringRef path, StringRef device,
                                   std::string &warning);

} // namespace mlir::te

#endif // TE_ANALYSIS_TARGETCOSTS_H
