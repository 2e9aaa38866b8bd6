// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimizers: checks of the C functions before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

tert_status tert_global_norm(tert_context *context, const tert_site *site,
                             int32_t num_gradients,
                             const tert_tensor *gradients,
                             const tert_tensor *norm) {
  return callOp(context, site, "tert.global_norm", [&](OpCall &op) {
    ListOperand list("gradients", num_gradients, gradients);
    list.each([](const Operand &gradient) {
      gradient.isFloat().hasUnitInnerStride();
    });
    Operand("norm", norm).isScalar();
    op.globalNorm(num_gradients, gradients, *norm);
    op.moves(*list);
  });
}

tert_status tert_clip_coefficient(tert_context *context, const tert_site *site,
                                  const tert_tensor *norm,
                                  const tert_tensor *max_norm,
                                  int32_t num_amaxes, const tert_tensor *amaxes,
                                  const tert_tensor *coefficient) {
  return callOp(context, site, "tert.clip_coefficient", [&](OpCall &op) {
    Operand("norm", norm).isScalar();
    Operand("max_norm", max_norm).isScalar();
    checkAmaxes(num_amaxes, amaxes);
    Operand("coefficient", coefficient).isScalar();
    op.clipCoefficient(*norm, *max_norm, num_amaxes, amaxes, *coefficient);
  });
}

tert_status tert_advance_step(tert_context *context, const tert_site *site,
                              const tert_tensor *coefficient,
                              const tert_tensor *step) {
  return callOp(context, site, "tert.advance_step", [&](OpCall &op) {
    Operand("coefficient", coefficient).isScalar();
    Operand("step", step).hasRank(0).hasDtype(TERT_I64);
    op.advanceStep(*coefficient, *step);
  });
}
