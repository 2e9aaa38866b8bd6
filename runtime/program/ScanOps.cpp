// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans: checks of the C functions before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "program/ScanShape.h"
#include "tert/ops.h"

using namespace tert;

/// Checks what a scan and its gradient have in common, and returns the sizes.
static ScanShape checkScan(const Operand &x, const tert_tensor *decay,
                           const tert_tensor *rates, const tert_tensor *keys,
                           const tert_tensor *queries,
                           const tert_tensor *states, int64_t chunk) {
  x.isFloat().hasRank(3).hasUnitInnerStride();
  Operand("decay", decay).isFloatLike(x);
  if (chunk < 1)
    invalidArgument("'chunk' is " + std::to_string(chunk) +
                    ", but must be at least 1");
  Operand saved("states", states);
  saved.hasDtype(TERT_F32).hasRank(4).isContiguous();
  const ScanShape shape(*x, *saved, keys, chunk);
  saved.hasShape(
      {shape.batch, shape.chunks, shape.channels, keys ? shape.size : 1},
      "'x', 'chunk' and 'keys'");
  if ((keys != nullptr) != (queries != nullptr))
    invalidArgument("'keys' and 'queries' must both be given, or neither");
  if (rates) {
    if (!keys)
      invalidArgument("'rates' needs 'keys' and 'queries'");
    Operand("rates", rates)
        .hasDtype(TERT_F32)
        .hasShape({shape.channels, shape.size}, "'x' and 'states'")
        .isContiguous();
  }
  if (keys) {
    Operand written("keys", keys), read("queries", queries);
    written.isFloat().hasRank(3).hasUnitInnerStride();
    if (shape.groups < 1 || shape.channels % shape.groups != 0 ||
        written.size(0) != shape.batch || written.size(1) != shape.tokens ||
        written.size(2) != shape.groups * shape.size)
      written.fail("of the batch and tokens of 'x' and " +
                   std::to_string(shape.size) +
                   " columns, the last size of 'states', for each of several "
                   "groups that divide the " +
                   std::to_string(shape.channels) + " channels");
    read.isFloatLike(written);
  }
  return shape;
}

static void checkState(const char *name, const tert_tensor *state,
                       const ScanShape &shape) {
  Operand(name, state)
      .hasDtype(TERT_F32)
      .hasShape({shape.batch, shape.channels, shape.size}, "'x' and 'states'")
      .isContiguous();
}

tert_status tert_scan(tert_context *context, const tert_site *site,
                      const tert_tensor *decay, const tert_tensor *x,
                      const tert_tensor *rates, const tert_tensor *keys,
                      const tert_tensor *queries, const tert_tensor *initial,
                      const tert_tensor *y, const tert_tensor *states,
                      const tert_tensor *final, int64_t chunk) {
  return callOp(context, site, "tert.scan", [&](OpCall &op) {
    Operand input("x", x);
    const ScanShape shape =
        checkScan(input, decay, rates, keys, queries, states, chunk);
    Operand("y", y).isFloatLike(input);
    if (initial)
      checkState("initial", initial, shape);
    checkState("final", final, shape);
    op.scan(*decay, *x, rates, keys, queries, initial, *y, *states, *final,
            chunk);
    op.moves({decay, x, rates, keys, queries, initial, y, states, final});
  });
}

tert_status tert_scan_grad(tert_context *context, const tert_site *site,
                           const tert_tensor *dy, const tert_tensor *decay,
                           const tert_tensor *x, const tert_tensor *states,
                           const tert_tensor *rates, const tert_tensor *keys,
                           const tert_tensor *queries,
                           const tert_tensor *dfinal, const tert_tensor *ddecay,
                           const tert_tensor *dx, const tert_tensor *drates,
                           const tert_tensor *dkeys,
                           const tert_tensor *dqueries,
                           const tert_tensor *dinitial, int64_t chunk) {
  return callOp(context, site, "tert.scan_grad", [&](OpCall &op) {
    Operand input("x", x);
    const ScanShape shape =
        checkScan(input, decay, rates, keys, queries, states, chunk);
    Operand("dy", dy).isFloatLike(input);
    Operand("ddecay", ddecay).isFloatLike(input);
    Operand("dx", dx).isFloatLike(input);
    auto needs = [](const char *gradient, const char *of) {
      invalidArgument("'" + std::string(gradient) + "' needs '" + of + "'");
    };
    if (drates) {
      if (!rates)
        needs("drates", "rates");
      Operand("drates", drates)
          .hasDtype(TERT_F32)
          .hasShapeOf({"rates", rates})
          .isContiguous();
    }
    if (dkeys) {
      if (!keys)
        needs("dkeys", "keys");
      Operand("dkeys", dkeys).isFloatLike({"keys", keys});
    }
    if (dqueries) {
      if (!queries)
        needs("dqueries", "queries");
      Operand("dqueries", dqueries).isFloatLike({"queries", queries});
    }
    if (dfinal)
      checkState("dfinal", dfinal, shape);
    checkState("dinitial", dinitial, shape);
    op.scanGrad(*dy, *decay, *x, *states, rates, keys, queries, dfinal, *ddecay,
                *dx, drates, dkeys, dqueries, *dinitial, chunk);
    op.moves({dy, decay, x, states, rates, keys, queries, dfinal, ddecay, dx,
              drates, dkeys, dqueries, dinitial});
  });
}
