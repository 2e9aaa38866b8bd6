// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for people: Markdown.

#ifndef TE_LIB_DRIVER_PLANTEXT_H
#define TE_LIB_DRIVER_PLANTEXT_H

#include "Table.h"
#include "te/Planning/Plan.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::te {

/// Everything, of the model `source`.
void writePlan(llvm::raw_ostream &os, llvm::StringRef source, const Plan &plan);

/// The collectives among ranks, alone.
Table makeCollectiveTable(const Plan &plan);
/// What their times are of; empty if there are none.
std::string describeCollectiveTimes(const Plan &plan);

/// "1.50 ms".
std::string formatSeconds(double seconds);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_PLANTEXT_H
