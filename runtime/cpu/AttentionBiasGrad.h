// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of the attention bias and of the sinks. One task computes each
// element, so sums have a fixed order.
#ifndef TERT_CPU_ATTENTIONBIASGRAD_H
#define TERT_CPU_ATTENTIONBIASGRAD_H

#include "cpu/Execution.h"
#include "program/AttentionOptions.h"

namespace tert::cpu {

/// dbias = dS summed over the dimensions that the bias is broadcast along.
void attentionBiasGrad(Execution &execution, const tert_tensor &dO,
                       const tert_tensor &q, const tert_tensor &k,
                       const tert_tensor &v, const tert_tensor &o,
                       const tert_tensor &lse, const AttentionOptions &options,
                       const tert_tensor &dbias);

/// dsinks[h] = -Σ over b, i of exp(sinks[h] - lse[b,h,i]) * delta[b,h,i].
void attentionSinksGrad(Execution &execution, const tert_tensor &dO,
                        const tert_tensor &o, const tert_tensor &lse,
                        const AttentionOptions &options,
                        const tert_tensor &dsinks);

} // namespace tert::cpu

#endif // TERT_CPU_ATTENTIONBIASGRAD_H
