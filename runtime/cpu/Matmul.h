// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of float and of FP8 operands.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_MATMUL_H
#define TERT_CPU_MATMUL_H

#include "cpu/Execution.h"
#include "tert/types.h"

namespace tert::cpu {

void matmul(Execution &execution, const tert_tensor &a, const tert_tensor &b,
            const tert_tensor *bias, const tert_tensor &d, bool transposeA,
            bool transposeB, bool addToD);

void scaledMatmul(Execution &execution, const tert_tensor &a,
                  const tert_tensor &b, const tert_tensor &aScaleInv,
                  const tert_tensor &bScaleInv, const tert_tensor *bias,
                  const tert_tensor &d);

} // namespace tert::cpu

#endif // TERT_CPU_MATMUL_H
