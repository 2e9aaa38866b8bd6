// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointwise activations and their gradients.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_ACTIVATION_H
#define TERT_CPU_ACTIVATION_H

#include "cpu/Execution.h"
#include "tert/types.h"

namespace tert::cpu {

void activation(Execution &execution, const tert_tensor &x,
                const tert_tensor *scale, const tert_tensor *y,
                const tert_tensor *rowwise, const tert_tensor *columnwise,
                const tert_tensor *amax, tert_activation_kind kind);

void activationGrad(Execution &execution, const tert_tensor &dy,
                    const tert_tensor &x, const tert_tensor *scale,
                    const tert_tensor *dx, const tert_tensor *rowwise,
                    const tert_tensor *columnwise, const tert_tensor *amax,
                    const tert_tensor *dbias, tert_activation_kind kind);

} // namespace tert::cpu

#endif // TERT_CPU_ACTIVATION_H
