// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every graph must hold to.

#ifndef TE_TEST_FUZZ_CHECKS_H
#define TE_TEST_FUZZ_CHECKS_H

#include "Comparison.h"
#include "PassRunner.h"
#include "Values.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::te::fuzz {

/// What was looked at.
struct Tally {
  int64_t evaluations = 0; ///< functions compared with float64
  int64_t judged = 0;      ///< elements compared
  int64_t unchanged = 0;   ///< functions that a pass left as they were
  int64_t derivatives = 0; ///< directions compared with differences
  int64_t undecided = 0;   ///< directions at a kink, or not finite
  int64_t native = 0;      ///< compiled programs compared
  int64_t packed = 0;      ///< programs packed for a device
  int64_t bounded = 0;     ///< values compared with a bound beyond their type's

  static constexpr int64_t Tally::*kNumbers[] = {
      &Tally::evaluations, &Tally::judged,    &Tally::unchanged,
      &Tally::derivatives, &Tally::undecided, &Tally::native,
      &Tally::packed,      &Tally::bounded};

  Tally &operator+=(const Tally &other) {
    for (int64_t Tally::*number : kNumbers)
      this->*number += other.*number;
    return *this;
  }
};

/// Whether functions of the module call each other.
bool hasCalls(ModuleOp graph);

/// Every check of one graph but that of programs. Checks go on with what those
/// before them made, and end at the first failure or refusal.
class GraphChecks {
public:
  GraphChecks(ModuleOp graph, PassRunner &passes, Tally &tally);

  /// @forward prints as it is read, and is verified.
  Result checkRoundTrip();
  /// The function of @forward stays what it is in every pass that rewrites it,
  /// alone and one after the other.
  Result checkForward();
  /// The gradients of @vjp are those of @forward, by differences; the passes
  /// behind te-differentiate keep what it returns.
  Result checkGradients();
  /// What te-quantize makes of these gradients is valid, and the passes behind
  /// it keep what it computes, with every FP8 number exact.
  Result checkQuantized();
  /// A training step, of one of a few optimizers, moves the parameters as
  /// formulas say.
  Result checkStep(unsigned optimizer);

private:
  class Expected;
  /// Every value of a function of the module is within its range
  /// (te/Analysis/Ranges.h), which the arguments' values declare.
  Result checkRanges(ModuleOp module, StringRef name, StringRef stage);
  Result runAndCompare(ModuleOp module, StringRef pass, StringRef stage,
                       Expected &expected);

  ModuleOp graph;
  func::FuncOp forward;
  PassRunner &passes;
  Tally &tally;
  Arguments arguments;
  /// With @vjp and @forward, as te-differentiate made them.
  OwningOpRef<ModuleOp> differentiated;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_CHECKS_H
