// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention: what the C functions check before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

#include <cmath>

using namespace tert;

namespace {

/// Sizes of one attention call.
struct AttentionShape {
  int64_t batch, sequence, heads, headDim;
};

} // namespace

static AttentionShape shapeOf(const Operand &x, int32_t layout) {
  static constexpr int32_t batchDim[] = {0, 0, 1};
  static constexpr int32_t sequenceDim[] = {1, 2, 0};
  static constexpr int32_t headsDim[] = {2, 1, 2};
  x.isFloat().hasRank(4).hasUnitInnerStride();
  return {x.size(batchDim[layout]), x.size(sequenceDim[layout]),
          x.size(headsDim[layout]), x.size(3)};
}

/// What forward and gradient have in common.
static void checkAttention(const Operand &q, const Operand &k, const Operand &v,
                           const Operand &o, const Operand &lse,
                           int32_t layout) {
  checkEnum("layout", layout, TERT_SBHD + 1);
  AttentionShape query = shapeOf(q, layout), key = shapeOf(k, layout);
  v.isFloatLike(k);
  o.isFloatLike(q);
  if (key.batch != query.batch || key.headDim != query.headDim)
    k.fail("of batch " + std::to_string(query.batch) + " and head dimension " +
           std::to_string(query.headDim) + ", as 'q', " + describeShape(*q) +
           ", is");
  bool divides =
      key.heads == 0 ? query.heads == 0 : query.heads % key.heads == 0;
  if (!divides)
    k.fail("of a number of heads that divides the " +
           std::to_string(query.heads) + " of 'q'");
  lse.hasDtype(TERT_F32)
      .hasShape({query.batch, query.heads, query.sequence},
                "[batch, heads, sequence] of 'q'")
      .hasUnitInnerStride();
}

/// What acts on the scores, whose sizes q and k say; their layout is checked.
static void checkScoreOptions(const Operand &q, const Operand &k,
                              const tert_tensor *bias,
                              const tert_tensor *lengths,
                              const tert_tensor *sinks, int32_t layout,
                              int64_t window, float softcap) {
  AttentionShape query = shapeOf(q, layout), key = shapeOf(k, layout);
  if (window < 0)
    invalidArgument("expected a 'window' of at least one key, or 0 for none, "
                    "but it is " +
                    std::to_string(window));
  if (!(softcap >= 0) || std::isinf(softcap))
    invalidArgument("expected a 'softcap' that is a positive number, or 0 for "
                    "none, but it is " +
                    std::to_string(softcap));
  if (bias) {
    Operand given("bias", bias);
    given.isFloat().hasRank(4).hasUnitInnerStride();
    int64_t sizes[] = {query.batch, query.heads, query.sequence};
    bool repeats = given.size(3) == key.sequence;
    for (int32_t dim = 0; dim < 3; ++dim)
      repeats &= given.size(dim) == sizes[dim] || given.size(dim) == 1;
    if (!repeats)
      given.fail("of shape [batch, query heads, queries, keys], [" +
                 std::to_string(query.batch) + ", " +
                 std::to_string(query.heads) + ", " +
                 std::to_string(query.sequence) + ", " +
                 std::to_string(key.sequence) +
                 "], with 1 for any of the first three");
  }
  if (lengths)
    Operand("lengths", lengths)
        .isInteger()
        .hasShape({query.batch}, "the batch of 'q'")
        .hasUnitInnerStride();
  if (sinks)
    Operand("sinks", sinks)
        .hasDtype(TERT_F32)
        .hasShape({query.heads}, "the heads of 'q'")
        .hasUnitInnerStride();
}

/// A gradient of what there is, in f32.
static void checkGradient(const char *name, const tert_tensor *gradient,
                          const char *ofName, const tert_tensor *of) {
  if (!gradient)
    return;
  if (!of)
    invalidArgument("'" + std::string(name) + "' is the gradient of '" +
                    ofName + "', which is not there");
  Operand(name, gradient)
      .hasDtype(TERT_F32)
      .hasShapeOf(Operand(ofName, of))
      .hasUnitInnerStride();
}

tert_status tert_attention(tert_context *context, const tert_site *site,
                           const tert_tensor *q, const tert_tensor *k,
                           const tert_tensor *v, const tert_tensor *bias,
                           const tert_tensor *lengths, const tert_tensor *sinks,
                           const tert_tensor *o, const tert_tensor *lse,
                           float scale, int32_t causal, int32_t layout,
                           int64_t window, float softcap) {
  return callOp(
      context, site, "tert.attention",
      [&](Backend &backend, const tert_site &at) {
        checkAttention({"q", q}, {"k", k}, {"v", v}, {"o", o}, {"lse", lse},
                       layout);
        checkScoreOptions({"q", q}, {"k", k}, bias, lengths, sinks, layout,
                          window, softcap);
        backend.attention(
            at, *q, *k, *v, bias, lengths, sinks, *o, *lse, scale, causal != 0,
            static_cast<tert_attention_layout>(layout), window, softcap);
      },
      [&] {
        return multiplies(
            attentionFlops(*q, *k, layout, causal != 0, window, 2), dtypeOf(*q),
            {q, k, v, bias, o, lse});
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
  return callOp(
      context, site, "tert.attention_grad",
      [&](Backend &backend, const tert_site &at) {
        Operand query("q", q), key("k", k);
        checkAttention(query, key, {"v", v}, {"o", o}, {"lse", lse}, layout);
        Operand("d_o", d_o).isFloatLike(query);
        Operand("dq", dq).isFloatLike(query);
        Operand("dk", dk).isFloatLike(key);
        Operand("dv", dv).isFloatLike(key);
        checkScoreOptions(query, key, bias, lengths, sinks, layout, window,
                          softcap);
        checkGradient("dbias", dbias, "bias", bias);
        checkGradient("dsinks", dsinks, "sinks", sinks);
        backend.attentionGrad(
            at, *d_o, *q, *k, *v, *o, *lse, bias, lengths, sinks, *dq, *dk, *dv,
            dbias, dsinks, scale, causal != 0,
            static_cast<tert_attention_layout>(layout), window, softcap);
      },
      [&] {
        return multiplies(
            attentionFlops(*q, *k, layout, causal != 0, window, 5), dtypeOf(*q),
            {d_o, q, k, v, o, lse, bias, dq, dk, dv, dbias});
      });
}

tert_status tert_rope(tert_context *context, const tert_site *site,
                      const tert_tensor *x, const tert_tensor *cos,
                      const tert_tensor *sin, const tert_tensor *y,
                      int32_t interleaved, int32_t inverse, int32_t layout) {
  return callOp(
      context, site, "tert.rope",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x), table("cos", cos);
        checkEnum("layout", layout, TERT_SBHD + 1);
        AttentionShape shape = shapeOf(input, layout);
        Operand("y", y).isFloatLike(input);
        table.isFloatMatrix();
        Operand("sin", sin).isFloatLike(table);
        if (table.size(0) != shape.sequence &&
            table.size(0) != shape.batch * shape.sequence)
          table.fail("of a row per position, " +
                     std::to_string(shape.sequence) + ", or per token, " +
                     std::to_string(shape.batch * shape.sequence));
        if (2 * table.size(1) > shape.headDim)
          table.fail("of at most half as many columns as heads of 'x' have "
                     "elements, " +
                     std::to_string(shape.headDim));
        backend.rope(at, *x, *cos, *sin, *y, interleaved != 0, inverse != 0,
                     static_cast<tert_attention_layout>(layout));
      },
      [&] { return moves({x, cos, sin, y}); });
}
