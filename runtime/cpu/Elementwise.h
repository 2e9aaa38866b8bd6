// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Additions, column sums, copies and fills.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_ELEMENTWISE_H
#define TERT_CPU_ELEMENTWISE_H

#include "cpu/Execution.h"
#include "tert/types.h"

namespace tert::cpu {

void add(Execution &execution, const tert_tensor &a, const tert_tensor &b,
         const tert_tensor &y);

void columnSum(Execution &execution, const tert_tensor &x,
               const tert_tensor &y);

void copy(Execution &execution, const tert_tensor &x, const tert_tensor &y);

void fill(Execution &execution, const tert_tensor &y, double value);

} // namespace tert::cpu

#endif // TERT_CPU_ELEMENTWISE_H
