// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two modules compute the same: all functions of one, before a pass,
// against those of the other, behind it.

#ifndef TE_TEST_FUZZ_MODULECOMPARISON_H
#define TE_TEST_FUZZ_MODULECOMPARISON_H

#include "Checks.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::te::fuzz {

struct ComparisonOptions {
  /// Relative error of each number that makes no difference: what constants
  /// that float32 rounds may be off by.
  double rounding = kFloat32Error;
  /// Largest relative error, in the norm of a result, of functions that have
  /// become FP8. More is allowed where random errors of E4M3's unit roundoff in
  /// every number have such an effect: on gradients that are sums of almost
  /// nothing.
  double fp8Tolerance = 0.3;
  /// Whether new gradients are compared with differences.
  bool differentiates = true;
};

/// A module as it was, with what its functions return once that is needed.
class ModuleReference {
public:
  /// `before` is copied. `arguments` outlive this.
  ModuleReference(ModuleOp before, Arguments &arguments,
                  const ComparisonOptions &options)
      : before(before.clone()), arguments(arguments), options(options) {}

  /// Compares every function of `after` with the one of its name, by the names
  /// of results where they have some and else by their positions; a function
  /// that is new with all whose outputs it has. Gradients that are new are
  /// compared with differences. Refused where the oracle does not know an op or
  /// nothing can be compared.
  Result compare(ModuleOp after);

  /// Functions that were compared.
  Tally tally;

private:
  FailureOr<Reference *> getReference(func::FuncOp function);
  func::FuncOp getCounterpart(func::FuncOp function, func::FuncOp other);
  FailureOr<SmallVector<test::HostTensor>> getArguments(func::FuncOp function);
  Result compare(func::FuncOp function, func::FuncOp other);
  Result compareResult(func::FuncOp function, unsigned result,
                       func::FuncOp other, const test::HostTensor &got,
                       const Twine &what);
  FailureOr<double> measureFp8Noise(func::FuncOp function, unsigned result);
  Result compareNew(func::FuncOp function);
  Result checkNewGradients(func::FuncOp function, func::FuncOp other);

  OwningOpRef<ModuleOp> before;
  /// The same where dropout does nothing; null until it is needed.
  OwningOpRef<ModuleOp> withoutDropout;
  Arguments &arguments;
  ComparisonOptions options;
  llvm::StringMap<Reference> references;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_MODULECOMPARISON_H
