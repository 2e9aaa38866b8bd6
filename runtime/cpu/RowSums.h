// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Second half of sums over the rows of a tensor (dbias, dgamma, dbeta). The
// first half computes one row of partial sums per task.
#ifndef TERT_CPU_ROWSUMS_H
#define TERT_CPU_ROWSUMS_H

#include "cpu/Execution.h"
#include "cpu/Matrix.h"

namespace tert::cpu {

/// y [1, cols] = the sum of `count` rows of `sums` [count, cols], added in
/// order for any number of threads.
void sumRows(Execution &execution, const float *sums, int64_t count,
             const Matrix &y);

} // namespace tert::cpu

#endif // TERT_CPU_ROWSUMS_H
