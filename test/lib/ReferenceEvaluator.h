// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes te and tensor ops on the host in float64, straight from the formulas
// of the ops' documentation: slow, plain, and independent of the runtime.

#ifndef TE_TEST_LIB_REFERENCEEVALUATOR_H
#define TE_TEST_LIB_REFERENCEEVALUATOR_H

#include "Rounding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlir::te::test {

/// A tensor of any element type; integers are kept as doubles too.
struct HostTensor {
  SmallVector<int64_t> shape;
  std::vector<double> data;

  HostTensor() = default;
  explicit HostTensor(ArrayRef<int64_t> shape, double value = 0);

  double &operator[](int64_t i) { return data[i]; }
  double operator[](int64_t i) const { return data[i]; }
  int64_t size() const { return data.size(); }
};

/// Runs `function` on `arguments` and returns its results. Emits an error and
/// fails at an op it does not know. `rounding` applies to the arguments and to
/// everything that is computed; te ops round their results, and sums and
/// squares that float32 may not hold. `staysFinite` says whether all that is
/// computed on the way is finite.
FailureOr<SmallVector<HostTensor>> evaluate(func::FuncOp function,
                                            ArrayRef<HostTensor> arguments,
                                            Rounding rounding = {},
                                            bool *staysFinite = nullptr);

/// The same, and calls `observe` with every value that it computes, each time
/// that it does: in every round of a loop and in every call. Numbers in bodies
/// of structured ops are not among them.
using Observer = llvm::function_ref<void(Value, const HostTensor &)>;
FailureOr<SmallVector<HostTensor>>
evaluateAndObserve(func::FuncOp function, ArrayRef<HostTensor> arguments,
                   Rounding rounding, Observer observe);

/// Uniform in [-1, 1), the same for the same numbers on every machine.
double counterUniform(uint64_t stream, uint64_t index);

} // namespace mlir::te::test

#endif // TE_TEST_LIB_REFERENCEEVALUATOR_H
