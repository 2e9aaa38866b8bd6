// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient norm, clipping and AdamW.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_OPTIMIZER_H
#define TERT_CPU_OPTIMIZER_H

#include "cpu/Execution.h"
#include "program/AdamW.h"

namespace tert::cpu {

void globalNorm(Execution &execution, int32_t n, const tert_tensor *gradients,
                const tert_tensor &norm);

void clipCoefficient(const tert_tensor &norm, const tert_tensor &maxNorm,
                     const tert_tensor &coefficient);

void advanceStep(const tert_tensor &coefficient, const tert_tensor &step);

/// One parameter's step.
void adamw(Execution &execution, const AdamwScalars &scalars,
           const AdamwParameter &parameter);

} // namespace tert::cpu

#endif // TERT_CPU_OPTIMIZER_H
