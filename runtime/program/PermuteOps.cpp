// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows in the order of experts, and back: checks of the C functions before a
// backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

#include <climits>

using namespace tert;

static const Operand &isNumbersOfRows(const Operand &operand) {
  return operand.hasDtype(TERT_I32).hasRank(1).hasUnitInnerStride();
}

/// Checks `repeat`; returns the rows that `tokens` stands for with it.
static int64_t countRows(const Operand &tokens, int64_t repeat) {
  if (repeat < 1 || repeat > INT32_MAX)
    invalidArgument("'repeat' is " + std::to_string(repeat) +
                    ", but must be in [1, 2147483647]");
  const int64_t most = INT32_MAX / repeat;
  if (tokens.size(0) > most)
    tokens.fail("of at most " + std::to_string(most) + " rows with 'repeat' " +
                std::to_string(repeat));
  return tokens.size(0) * repeat;
}

static void checkWeights(const tert_tensor *weights, int64_t rows) {
  if (weights)
    Operand("weights", weights)
        .hasDtype(TERT_F32)
        .isFloatVector(rows, "one for each row");
}

tert_status tert_permute(tert_context *context, const tert_site *site,
                         const tert_tensor *x, const tert_tensor *source,
                         const tert_tensor *weights, const tert_tensor *y,
                         const tert_quantized *quantized, int64_t repeat) {
  return callOp(context, site, "tert.permute", [&](OpCall &op) {
    Operand tokens("x", x), places("source", source);
    tokens.isFloatMatrix();
    isNumbersOfRows(places);
    checkWeights(weights, countRows(tokens, repeat));
    const int64_t rows = places.size(0), cols = tokens.size(1);
    if (y)
      Operand("y", y).isFloatMatrix().hasShape({rows, cols},
                                               "a row of 'x' for every place");
    op.permute(*x, *source, weights, y, checkQuantized(quantized, rows, cols),
               repeat);
    op.moves({x, source, weights, y});
    op.writes(quantized);
  });
}

tert_status tert_take_rows(tert_context *context, const tert_site *site,
                           const tert_tensor *x, const tert_tensor *source,
                           const tert_tensor *y) {
  return callOp(context, site, "tert.take_rows", [&](OpCall &op) {
    Operand rows("x", x), places("source", source);
    rows.isFp8().hasRank(2).hasUnitInnerStride();
    isNumbersOfRows(places);
    Operand("y", y)
        .hasDtype(dtypeOf(*rows))
        .hasUnitInnerStride()
        .hasShape({places.size(0), rows.size(1)},
                  "a row of 'x' for every place");
    op.takeRows(*x, *source, *y);
    op.moves({y, source, y});
  });
}

tert_status tert_unpermute(tert_context *context, const tert_site *site,
                           const tert_tensor *x, const tert_tensor *slot,
                           const tert_tensor *weights, const tert_tensor *y,
                           int64_t repeat) {
  return callOp(context, site, "tert.unpermute", [&](OpCall &op) {
    Operand places("x", x), slots("slot", slot), tokens("y", y);
    places.isFloatMatrix();
    tokens.isFloatMatrix().hasShape({tokens.size(0), places.size(1)},
                                    "rows as those of 'x'");
    const int64_t rows = countRows(tokens, repeat);
    isNumbersOfRows(slots).hasShape({rows}, "'repeat' for each row of 'y'");
    checkWeights(weights, rows);
    op.unpermute(*x, *slot, weights, *y, repeat);
    op.moves({x, slot, weights, y});
  });
}

tert_status
tert_permute_weights_grad(tert_context *context, const tert_site *site,
                          const tert_tensor *permuted, const tert_tensor *slot,
                          const tert_tensor *tokens,
                          const tert_tensor *dweights, int64_t repeat) {
  return callOp(context, site, "tert.permute_weights_grad", [&](OpCall &op) {
    Operand places("permuted", permuted), slots("slot", slot),
        rowsOf("tokens", tokens);
    places.isFloatMatrix();
    rowsOf.isFloatMatrix().hasShape({rowsOf.size(0), places.size(1)},
                                    "rows as those of 'permuted'");
    const int64_t rows = countRows(rowsOf, repeat);
    isNumbersOfRows(slots).hasShape({rows},
                                    "'repeat' for each row of 'tokens'");
    Operand("dweights", dweights)
        .hasDtype(TERT_F32)
        .isFloatVector(rows, "one for each row");
    op.permuteWeightsGrad(*permuted, *slot, *tokens, *dweights, repeat);
    op.moves({permuted, slot, tokens, dweights});
  });
}
