// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the C functions of attention before a backend runs. Throw
// TERT_INVALID_ARGUMENT like those of Check.h.
#ifndef TERT_PROGRAM_ATTENTIONCHECKS_H
#define TERT_PROGRAM_ATTENTIONCHECKS_H

#include "program/Check.h"

namespace tert {

/// Index of the sequence dimension in a tert_attention_layout.
int32_t sequenceDimOf(int32_t layout);

/// Sizes of one operand of attention.
struct AttentionShape {
  int64_t batch, sequence, heads, headDim;
};
AttentionShape attentionShapeOf(const Operand &x, int32_t layout);

/// Checks shared by forward and gradient, for full sequences and shards: the
/// tensors of attention and the terms of the scores.
void checkAttention(const Operand &q, const Operand &k, const Operand &v,
                    const Operand &o, const Operand &lse,
                    const tert_tensor *bias, const tert_tensor *lengths,
                    const tert_tensor *sinks, int32_t layout, int64_t window,
                    float softcap);

/// Checks the gradient's further operands; q and k must be checked already.
void checkAttentionGrad(const Operand &q, const Operand &k,
                        const tert_tensor *dO, const tert_tensor *bias,
                        const tert_tensor *sinks, const tert_tensor *dq,
                        const tert_tensor *dk, const tert_tensor *dv,
                        const tert_tensor *dbias, const tert_tensor *dsinks);

} // namespace tert

#endif // TERT_PROGRAM_ATTENTIONCHECKS_H
