// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention: checks of the C functions before a backend runs.

#include "program/AttentionChecks.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

tert_status tert_attention(tert_context *context, const tert_site *site,
                           const tert_tensor *q, const tert_tensor *k,
                           const tert_tensor *v, const tert_tensor *bias,
                           const tert_tensor *lengths, const tert_tensor *sinks,
                           const tert_tensor *o, const tert_tensor *lse,
                           float scale, int32_t causal, int32_t layout,
                           int64_t window, float softcap) {
  return callOp(context, site, "tert.attention", [&](OpCall &op) {
    checkAttention({"q", q}, {"k", k}, {"v", v}, {"o", o}, {"lse", lse}, bias,
                   lengths, sinks, layout, window, softcap);
    op.attention(*q, *k, *v, bias, lengths, sinks, *o, *lse, scale, causal != 0,
                 static_cast<tert_attention_layout>(layout), window, softcap);
    op.multiplies(attentionFlops(*q, *k, layout, causal != 0, window, 2),
                  dtypeOf(*q), {q, k, v, bias, o, lse});
  });
}

tert_status tert_attention_grad(
    tert_context *context, const tert_site *site, const tert_tensor *d_o,
    const tert_tensor *q, const tert_tensor *k, const tert_tensor *v,
    const tert_tensor *o, const tert_tensor *lse, const tert_tensor *bias,
    const tert_tensor *lengths, const tert_tensor *sinks, const tert_tensor *dq,
    const tert_tensor *dk, const tert_tensor *dv, const tert_tensor *dbias,
    const tert_tensor *dsinks, float scale, int32_t causal, int32_t layout,
    int64_t window, float softcap) {
  return callOp(context, site, "tert.attention_grad", [&](OpCall &op) {
    Operand query("q", q), key("k", k);
    checkAttention(query, key, {"v", v}, {"o", o}, {"lse", lse}, bias, lengths,
                   sinks, layout, window, softcap);
    checkAttentionGrad(query, key, d_o, bias, sinks, dq, dk, dv, dbias, dsinks);
    op.attentionGrad(*d_o, *q, *k, *v, *o, *lse, bias, lengths, sinks, *dq, *dk,
                     *dv, dbias, dsinks, scale, causal != 0,
                     static_cast<tert_attention_layout>(layout), window,
                     softcap);
    op.multiplies(attentionFlops(*q, *k, layout, causal != 0, window, 5),
                  dtypeOf(*q), {d_o, q, k, v, o, lse, bias, dq, dk, dv, dbias});
  });
}

tert_status tert_rope(tert_context *context, const tert_site *site,
                      const tert_tensor *x, const tert_tensor *cos,
                      const tert_tensor *sin, const tert_tensor *y,
                      int32_t interleaved, int32_t inverse, int32_t layout) {
  return callOp(context, site, "tert.rope", [&](OpCall &op) {
    Operand input("x", x), table("cos", cos);
    checkEnum("layout", layout, TERT_SBHD);
    AttentionShape shape = attentionShapeOf(input, layout);
    Operand("y", y).isFloatLike(input);
    table.isFloatMatrix();
    Operand("sin", sin).isFloatLike(table);
    if (table.size(0) != shape.sequence &&
        table.size(0) != shape.batch * shape.sequence)
      table.fail("of a row per position, " + std::to_string(shape.sequence) +
                 ", or per token, " +
                 std::to_string(shape.batch * shape.sequence));
    if (2 * table.size(1) > shape.headDim)
      table.fail("of at most half as many columns as heads of 'x' have "
                 "elements, " +
                 std::to_string(shape.headDim));
    op.rope(*x, *cos, *sin, *y, interleaved != 0, inverse != 0,
            static_cast<tert_attention_layout>(layout));
    op.moves({x, cos, sin, y});
  });
}
