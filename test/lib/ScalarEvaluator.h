// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes arithmetic on numbers, such as the body of a linalg.generic, in
// float64.

#ifndef TE_TEST_LIB_SCALAREVALUATOR_H
#define TE_TEST_LIB_SCALAREVALUATOR_H

#include "Rounding.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace mlir::te::test {

/// A function of at most three numbers; integers and truth values are doubles
/// too.
using ScalarFunction = double (*)(const double *operands);

/// The function that an op of arith or math computes, on numbers or element by
/// element; null for other ops.
ScalarFunction getScalarFunction(Operation *op);

/// A tensor that a block extracts elements of.
struct ScalarTable {
  ArrayRef<double> data;
  ArrayRef<int64_t> shape;
};

/// A block of such ops, ready to be executed for many iterations.
class ScalarProgram {
public:
  /// `captured` is what a value from outside the block is, and `tables` what a
  /// tensor from there is, which must outlive the program; nothing when that is
  /// not known. Fails, after an error, at an op or a value it does not know.
  static FailureOr<ScalarProgram> create(
      Block &block, llvm::function_ref<std::optional<double>(Value)> captured,
      llvm::function_ref<std::optional<ScalarTable>(Value)> tables = [](Value) {
        return std::nullopt;
      });

  /// What the block yields for its arguments at the loops' counters. The
  /// result is valid until the next call.
  ArrayRef<double> run(ArrayRef<double> arguments, ArrayRef<int64_t> counters,
                       Rounding &rounding);

private:
  struct Step {
    /// Null: the counter of loop `operands[0]`, or, with a table, its element
    /// at that place.
    ScalarFunction function;
    unsigned operands[3];
    unsigned result;
    double coarseness; ///< of the result's type; 0 for integers
    ArrayRef<double> table;
  };

  std::vector<double> slots; ///< the arguments come first
  std::vector<Step> steps;
  SmallVector<unsigned> yielded;
  SmallVector<double> results;
};

} // namespace mlir::te::test

#endif // TE_TEST_LIB_SCALAREVALUATOR_H
