// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one AdamW step works on (tert/ops.h).
#ifndef TERT_PROGRAM_ADAMW_H
#define TERT_PROGRAM_ADAMW_H

#include "tert/types.h"

namespace tert {

/// What all parameters of a step share: rank-0 tensors in the backend's memory.
struct AdamwScalars {
  const tert_tensor &coefficient, &lr, &beta1, &beta2, &eps, &weightDecay;
  const tert_tensor &step;
};

/// One parameter of a step.
struct AdamwParameter {
  const tert_tensor *gradient, *param, *expAvg, *expAvgSq;
  tert_quantized quantized;
  bool decay;
};

} // namespace tert

#endif // TERT_PROGRAM_ADAMW_H
