// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one step of an optimizer works on (tert/ops.h).
#ifndef TERT_PROGRAM_UPDATE_H
#define TERT_PROGRAM_UPDATE_H

#include "tert/types.h"

namespace tert {

/// What all parameters of an AdamW step share: rank-0 tensors in the backend's
/// memory.
struct AdamwScalars {
  const tert_tensor &coefficient, &lr, &beta1, &beta2, &eps, &weightDecay;
  const tert_tensor &step;
};

/// The same of gradient descent. Without momentum there is no dampening, and
/// both are null; so is dampening that is zero.
struct SgdScalars {
  const tert_tensor &coefficient, &lr;
  const tert_tensor *momentum, *dampening;
  const tert_tensor &weightDecay, &step;
  bool nesterov;
};

/// One parameter of a step.
struct ParameterUpdate {
  const tert_tensor *gradient, *param;
  /// exp_avg and exp_avg_sq, or momentum_buffer; null where there is none.
  const tert_tensor *states[2];
  tert_quantized quantized;
  bool decay;
};

} // namespace tert

#endif // TERT_PROGRAM_UPDATE_H
