// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts to and from FP8, and the scales they use.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_PRECISION_H
#define TERT_CPU_PRECISION_H

#include "cpu/Execution.h"
#include "tert/types.h"

namespace tert::cpu {

void quantize(Execution &execution, const tert_tensor &x,
              const tert_tensor &scale, const tert_tensor *rowwise,
              const tert_tensor *columnwise, const tert_tensor *amax);

void dequantize(Execution &execution, const tert_tensor &x,
                const tert_tensor &scaleInv, const tert_tensor &y);

void amax(Execution &execution, const tert_tensor &x, const tert_tensor &amax);

void computeScale(const tert_tensor &amax, const tert_tensor &scale,
                  const tert_tensor &scaleInv, tert_dtype format,
                  int32_t margin);

void updateScales(int32_t n, const tert_tensor *amaxes,
                  const tert_tensor &scales, const tert_tensor &scaleInvs,
                  const tert_tensor &history, const tert_tensor &nonfinite,
                  const int32_t *formats, tert_amax_algo algo, int32_t margin);

} // namespace tert::cpu

#endif // TERT_CPU_PRECISION_H
