// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax attention and its gradient, block by block.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_ATTENTION_H
#define TERT_CPU_ATTENTION_H

#include "cpu/Execution.h"
#include "tert/types.h"

namespace tert::cpu {

void attention(Execution &execution, const tert_tensor &q, const tert_tensor &k,
               const tert_tensor &v, const tert_tensor &o,
               const tert_tensor &lse, float scale, bool causal,
               tert_attention_layout layout);

void attentionGrad(Execution &execution, const tert_tensor &dO,
                   const tert_tensor &q, const tert_tensor &k,
                   const tert_tensor &v, const tert_tensor &o,
                   const tert_tensor &lse, const tert_tensor &dq,
                   const tert_tensor &dk, const tert_tensor &dv, float scale,
                   bool causal, tert_attention_layout layout);

} // namespace tert::cpu

#endif // TERT_CPU_ATTENTION_H
