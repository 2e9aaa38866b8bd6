// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every graph must hold to.

#ifndef TE_TEST_FUZZ_CHECKS_H
#define TE_TEST_FUZZ_CHECKS_H

#include "Comparison.h"
#include "PassRunner.h"
#include "Values.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::te::fuzz {

/// What was looked at.
struct Tally {
  int64_t evaluations = 0; ///< functions compared with float64
  int64_t judged = 0;      ///< elements compared
  int64_t derivatives = 0; ///< directions compared with differences
  int64_t undecided = 0;   ///< directions at a kink, or not finite
};

/// @forward prints as it is read, and is verified.
Result checkRoundTrip(ModuleOp graph);

/// The function of @forward stays what it is in every pass that rewrites it,
/// alone and one after the other.
Result checkForward(ModuleOp graph, PassRunner &passes, Tally &tally);

/// The gradients of @vjp are those of @forward, by differences; the passes
/// behind te-differentiate keep what it returns.
Result checkGradients(ModuleOp graph, PassRunner &passes, Tally &tally);

/// Compares the function `name` of both modules, result by result.
Result compareFunctions(ModuleOp expected, ModuleOp got, StringRef name,
                        Arguments &arguments, StringRef stage, Tally &tally);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_CHECKS_H
