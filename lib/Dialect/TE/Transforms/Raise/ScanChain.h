// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds recurrences that are written out: h = a[t] * h + u[t] for t = 0, 1, …,
// or h = h + u[t].

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANCHAIN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANCHAIN_H

#include "Raise/StridedView.h"

#include "mlir/IR/Block.h"

#include <optional>
#include <vector>

namespace mlir::te {

/// What every step has of its own tokens: elements of a tensor that all of them
/// read, each `stride` elements behind the one before, or an elementwise op of
/// such operands.
struct StepValue {
  StridedView first; ///< that of the first step
  int64_t stride = 0;
  std::vector<StepValue> operands; ///< of the op that defines first.source

  explicit StepValue(Value value) : first(value) { first.goToStart(); }
  explicit StepValue(StridedView view) : first(std::move(view)) {
    first.goToStart();
  }

  /// Whether `value` is that of step `number`. Step 1 says what the strides
  /// are, and which ops each step has of its own.
  bool continuesWith(Value value, size_t number) {
    return continuesWith(StridedView(value), number, /*depth=*/0);
  }

private:
  /// `depth`: of the operand in what the step makes itself.
  bool continuesWith(StridedView view, size_t number, unsigned depth);
};

/// The steps of one recurrence. `decay` and `input` have the elements of a
/// state, in its order; without a decay it is 1.
struct ScanChain {
  std::optional<StepValue> decay;
  StepValue input;
  Value initial;                    ///< the state before the first step
  bool isStateFirst;                ///< in the sum of each step
  SmallVector<Operation *> steps;   ///< the sums
  SmallVector<Operation *> readers; ///< each step's op that reads the state
};

/// Those of a block of at least `least` steps, in the order in which they end.
SmallVector<ScanChain, 0> findScanChains(Block &block, size_t least);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANCHAIN_H
