// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal convolutions: checks of the C functions before a backend runs.

#include "program/CausalConvShape.h"
#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

/// Checks what a convolution and its gradient have in common.
static void checkConv(const Operand &x, const tert_tensor *weight,
                      const tert_tensor *bias) {
  x.isFloat().hasRank(3).hasUnitInnerStride();
  Operand taps("weight", weight);
  taps.hasDtype(TERT_F32).hasRank(2).isContiguous();
  taps.hasShape({taps.size(0), x.size(2)}, "the channels of 'x'");
  if (taps.size(0) < 1 || taps.size(0) > causalConvMostTaps)
    taps.fail("of 1 to " + std::to_string(causalConvMostTaps) + " rows");
  if (bias)
    Operand("bias", bias)
        .hasDtype(TERT_F32)
        .hasShape({x.size(2)}, "the channels of 'x'")
        .isContiguous();
}

tert_status tert_causal_conv(tert_context *context, const tert_site *site,
                             const tert_tensor *x, const tert_tensor *weight,
                             const tert_tensor *bias, const tert_tensor *y,
                             int32_t silu) {
  return callOp(context, site, "tert.causal_conv", [&](OpCall &op) {
    Operand input("x", x);
    checkConv(input, weight, bias);
    Operand("y", y).isFloatLike(input);
    op.causalConv(*x, *weight, bias, *y, silu != 0);
    op.moves({x, weight, bias, y});
  });
}

tert_status tert_causal_conv_grad(tert_context *context, const tert_site *site,
                                  const tert_tensor *dy, const tert_tensor *x,
                                  const tert_tensor *weight,
                                  const tert_tensor *bias,
                                  const tert_tensor *dx,
                                  const tert_tensor *dweight,
                                  const tert_tensor *dbias, int32_t silu) {
  return callOp(context, site, "tert.causal_conv_grad", [&](OpCall &op) {
    Operand input("x", x);
    checkConv(input, weight, bias);
    Operand("dy", dy).isFloatLike(input);
    Operand("dx", dx).isFloatLike(input);
    Operand("dweight", dweight)
        .hasDtype(TERT_F32)
        .hasShapeOf({"weight", weight})
        .isContiguous();
    if (dbias) {
      if (!bias)
        invalidArgument("'dbias' needs 'bias'");
      Operand("dbias", dbias)
          .hasDtype(TERT_F32)
          .hasShapeOf({"bias", bias})
          .isContiguous();
    }
    op.causalConvGrad(*dy, *x, *weight, bias, *dx, *dweight, dbias, silu != 0);
    op.moves({dy, x, weight, bias, dx, dweight, dbias});
  });
}
