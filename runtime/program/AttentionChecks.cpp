// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/AttentionChecks.h"

#include <cmath>

using namespace tert;

static constexpr int32_t sequenceDims[] = {1, 2, 0};

int32_t tert::sequenceDimOf(int32_t layout) { return sequenceDims[layout]; }

AttentionShape tert::attentionShapeOf(const Operand &x, int32_t layout) {
  static constexpr int32_t batchDim[] = {0, 0, 1};
  static constexpr int32_t headsDim[] = {2, 1, 2};
  x.isFloat().hasRank(4).hasUnitInnerStride();
  return {x.size(batchDim[layout]), x.size(sequenceDims[layout]),
          x.size(headsDim[layout]), x.size(3)};
}

static void checkTensors(const Operand &q, const Operand &k, const Operand &v,
                         const Operand &o, const Operand &lse,
                         const AttentionShape &query,
                         const AttentionShape &key) {
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

static void
checkScoreOptions(const AttentionShape &query, const AttentionShape &key,
                  const tert_tensor *bias, const tert_tensor *lengths,
                  const tert_tensor *sinks, int64_t window, float softcap) {
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

void tert::checkAttention(const Operand &q, const Operand &k, const Operand &v,
                          const Operand &o, const Operand &lse,
                          const tert_tensor *bias, const tert_tensor *lengths,
                          const tert_tensor *sinks, int32_t layout,
                          int64_t window, float softcap) {
  checkEnum("layout", layout, TERT_SBHD);
  const AttentionShape query = attentionShapeOf(q, layout),
                       key = attentionShapeOf(k, layout);
  checkTensors(q, k, v, o, lse, query, key);
  checkScoreOptions(query, key, bias, lengths, sinks, window, softcap);
}

/// Checks a gradient, in f32, of an optional operand.
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

void tert::checkAttentionGrad(const Operand &q, const Operand &k,
                              const tert_tensor *dO, const tert_tensor *bias,
                              const tert_tensor *sinks, const tert_tensor *dq,
                              const tert_tensor *dk, const tert_tensor *dv,
                              const tert_tensor *dbias,
                              const tert_tensor *dsinks) {
  Operand("d_o", dO).isFloatLike(q);
  Operand("dq", dq).isFloatLike(q);
  Operand("dk", dk).isFloatLike(k);
  Operand("dv", dv).isFloatLike(k);
  checkGradient("dbias", dbias, "bias", bias);
  checkGradient("dsinks", dsinks, "sinks", sinks);
}
