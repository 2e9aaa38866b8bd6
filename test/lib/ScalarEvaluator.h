// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes the body of a linalg.generic in float64.

#ifndef TE_TEST_LIB_SCALAREVALUATOR_H
#define TE_TEST_LIB_SCALAREVALUATOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <vector>

namespace mlir::te::test {

/// What the body yields for the block's arguments at the loops' counters;
/// integers and truth values are doubles too. Empty, after an error, at an op
/// it does not know.
std::vector<double> evaluateBody(linalg::GenericOp op,
                                 ArrayRef<double> arguments,
                                 ArrayRef<int64_t> counters);

} // namespace mlir::te::test

#endif // TE_TEST_LIB_SCALAREVALUATOR_H
