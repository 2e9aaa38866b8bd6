// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C functions of attention check before a backend runs. Throw
// TERT_INVALID_ARGUMENT as Check.h's do.
#ifndef TERT_PROGRAM_ATTENTIONCHECKS_H
#define TERT_PROGRAM_ATTENTIONCHECKS_H

#include "program/Check.h"

namespace tert {

/// Which dimension of [B,S,H,D] in the order of a tert_attention_layout.
int32_t sequenceDimOf(int32_t layout);

/// Sizes of one operand of attention.
struct AttentionShape {
  int64_t batch, sequence, heads, headDim;
};
AttentionShape attentionShapeOf(const Operand &x, int32_t layout);

/// What forward and gradient have in common, of whole sequences and of parts:
/// the tensors of attention, and what acts on the scores.
void checkAttention(const Operand &q, const Operand &k, const Operand &v,
                    const Operand &o, const Operand &lse,
                    const tert_tensor *bias, const tert_tensor *lengths,
                    const tert_tensor *sinks, int32_t layout, int64_t window,
                    float softcap);

/// What the gradient has besides; q and k are checked.
void checkAttentionGrad(const Operand &q, const Operand &k,
                        const tert_tensor *dO, const tert_tensor *bias,
                        const tert_tensor *sinks, const tert_tensor *dq,
                        const tert_tensor *dk, const tert_tensor *dv,
                        const tert_tensor *dbias, const tert_tensor *dsinks);

} // namespace tert

#endif // TERT_PROGRAM_ATTENTIONCHECKS_H
