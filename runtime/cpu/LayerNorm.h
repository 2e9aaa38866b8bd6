// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer normalization and its gradient.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_LAYERNORM_H
#define TERT_CPU_LAYERNORM_H

#include "cpu/Execution.h"
#include "tert/types.h"

namespace tert::cpu {

void layerNorm(Execution &execution, const tert_tensor &x,
               const tert_tensor &gamma, const tert_tensor &beta,
               const tert_tensor *scale, const tert_tensor *y,
               const tert_tensor &mean, const tert_tensor &rstd,
               const tert_tensor *rowwise, const tert_tensor *columnwise,
               const tert_tensor *amax, float eps, bool zeroCentered);

void layerNormGrad(Execution &execution, const tert_tensor &dy,
                   const tert_tensor &x, const tert_tensor &gamma,
                   const tert_tensor &mean, const tert_tensor &rstd,
                   const tert_tensor *residual, const tert_tensor &dx,
                   const tert_tensor &dgamma, const tert_tensor &dbeta,
                   bool zeroCentered);

} // namespace tert::cpu

#endif // TERT_CPU_LAYERNORM_H
