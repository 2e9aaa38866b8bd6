// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first pass of a pipeline, and the first rewrite within it, behind which a
// module computes something else.

#ifndef TE_TEST_FUZZ_BISECTION_H
#define TE_TEST_FUZZ_BISECTION_H

#include "ModuleComparison.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::te::fuzz {

/// How far a pipeline runs: all passes before number `pass`, and in that one
/// the first `patterns` patterns that a driver tries; nothing behind it. Passes
/// count once for every operation that they run on.
struct Cut {
  static constexpr uint64_t kAll = ~uint64_t(0);
  uint64_t pass = kAll;
  uint64_t patterns = kAll;
};

class Bisection {
public:
  /// `build` adds the passes that are searched. `arguments` outlive this.
  Bisection(ModuleOp module,
            std::function<LogicalResult(OpPassManager &)> build,
            Arguments &arguments, const ComparisonOptions &options)
      : module(module), build(std::move(build)), arguments(arguments),
        options(options) {}

  /// Prints what was found. Whole functions instead of the operations that a
  /// rewrite changed with \p printsFunctions.
  Result run(llvm::raw_ostream &os, bool printsFunctions);

private:
  Result findPass(llvm::raw_ostream &os);
  void findPattern(llvm::raw_ostream &os, bool printsFunctions);
  Result check(Cut cut);
  void show(llvm::raw_ostream &os, uint64_t pattern, bool printsFunctions);

  ModuleOp module;
  std::function<LogicalResult(OpPassManager &)> build;
  Arguments &arguments;
  ComparisonOptions options;

  /// What the wrong pass starts from, its number, and the patterns it tries.
  std::unique_ptr<ModuleReference> reference;
  Cut wrong;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_BISECTION_H
