// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalization and activation: checks of the C functions before a backend
// runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

/// A float tensor of the shape of `x`, if it is given.
static void checkLike(const char *name, const tert_tensor *tensor,
                      const Operand &x) {
  if (tensor)
    Operand(name, tensor).isFloatLike(x);
}

static void checkPerColumn(const char *name, const tert_tensor *tensor,
                           const Operand &x) {
  Operand(name, tensor).isFloatVector(x.size(1), "the columns of 'x'");
}

/// Statistics of the rows, in f32.
static void checkPerRow(const char *name, const tert_tensor *tensor,
                        const Operand &x) {
  Operand(name, tensor)
      .hasDtype(TERT_F32)
      .isFloatVector(x.size(0), "the rows of 'x'");
}

/// Checks what the gradients have in common; returns *quantized, or an empty
/// struct.
static const tert_quantized &
checkNormGrad(const tert_tensor *dy, const Operand &x, const tert_tensor *gamma,
              const tert_tensor *rstd, const tert_tensor *residual,
              const tert_tensor *dx, const tert_tensor *dgamma,
              const tert_quantized *quantized) {
  x.isFloatMatrix();
  Operand("dy", dy).isFloatLike(x);
  checkLike("dx", dx, x);
  checkLike("residual", residual, x);
  checkPerColumn("gamma", gamma, x);
  checkPerColumn("dgamma", dgamma, x);
  checkPerRow("rstd", rstd, x);
  return checkQuantized(quantized, x.size(0), x.size(1));
}

tert_status tert_layer_norm(tert_context *context, const tert_site *site,
                            const tert_tensor *x, const tert_tensor *gamma,
                            const tert_tensor *beta, const tert_tensor *y,
                            const tert_tensor *mean, const tert_tensor *rstd,
                            const tert_quantized *quantized, float eps,
                            int32_t zero_centered) {
  return callOp(context, site, "tert.layer_norm", [&](OpCall &op) {
    Operand input("x", x);
    input.isFloatMatrix();
    int64_t rows = input.size(0), cols = input.size(1);
    checkPerColumn("gamma", gamma, input);
    checkPerColumn("beta", beta, input);
    checkLike("y", y, input);
    checkPerRow("mean", mean, input);
    checkPerRow("rstd", rstd, input);
    op.layerNorm(*x, *gamma, *beta, y, *mean, *rstd,
                 checkQuantized(quantized, rows, cols), eps,
                 zero_centered != 0);
    op.moves({x, gamma, beta, y, mean, rstd});
    op.writes(quantized);
  });
}

tert_status
tert_layer_norm_grad(tert_context *context, const tert_site *site,
                     const tert_tensor *dy, const tert_tensor *x,
                     const tert_tensor *gamma, const tert_tensor *mean,
                     const tert_tensor *rstd, const tert_tensor *residual,
                     const tert_tensor *dx, const tert_tensor *dgamma,
                     const tert_tensor *dbeta, const tert_quantized *quantized,
                     const tert_tensor *dbias, int32_t zero_centered) {
  return callOp(context, site, "tert.layer_norm_grad", [&](OpCall &op) {
    Operand input("x", x);
    const tert_quantized &copies =
        checkNormGrad(dy, input, gamma, rstd, residual, dx, dgamma, quantized);
    checkPerColumn("dbeta", dbeta, input);
    if (dbias)
      checkPerColumn("dbias", dbias, input);
    checkPerRow("mean", mean, input);
    op.layerNormGrad(*dy, *x, *gamma, *mean, *rstd, residual, dx, *dgamma,
                     *dbeta, copies, dbias, zero_centered != 0);
    op.moves({dy, x, gamma, mean, rstd, residual, dx, dgamma, dbeta, dbias});
    op.writes(quantized);
  });
}

tert_status tert_rms_norm(tert_context *context, const tert_site *site,
                          const tert_tensor *x, const tert_tensor *gamma,
                          const tert_tensor *y, const tert_tensor *rstd,
                          const tert_quantized *quantized, float eps,
                          int32_t zero_centered) {
  return callOp(context, site, "tert.rms_norm", [&](OpCall &op) {
    Operand input("x", x);
    input.isFloatMatrix();
    int64_t rows = input.size(0), cols = input.size(1);
    checkPerColumn("gamma", gamma, input);
    checkLike("y", y, input);
    checkPerRow("rstd", rstd, input);
    op.rmsNorm(*x, *gamma, y, *rstd, checkQuantized(quantized, rows, cols), eps,
               zero_centered != 0);
    op.moves({x, gamma, y, rstd});
    op.writes(quantized);
  });
}

/// Checks the scale and the copy, [cols, rows] or larger, of a value that a
/// gradient recomputes: the transpose of `what`.
static void checkRecomputed(const tert_tensor *y_scale,
                            const tert_tensor *y_columnwise, int64_t rows,
                            int64_t cols, const char *what) {
  Operand("y_scale", y_scale).isScalar();
  Operand copy("y_columnwise", y_columnwise);
  copy.isFp8().hasRank(2).hasUnitInnerStride();
  if (copy.size(0) < cols || copy.size(1) < rows)
    copy.fail("at least [" + std::to_string(cols) + ", " +
              std::to_string(rows) + "], the shape of " + what + " transposed");
}

tert_status tert_rms_norm_grad(tert_context *context, const tert_site *site,
                               const tert_tensor *dy, const tert_tensor *x,
                               const tert_tensor *gamma,
                               const tert_tensor *rstd,
                               const tert_tensor *residual,
                               const tert_tensor *dx, const tert_tensor *dgamma,
                               const tert_quantized *quantized,
                               int32_t zero_centered) {
  return callOp(context, site, "tert.rms_norm_grad", [&](OpCall &op) {
    const tert_quantized &copies = checkNormGrad(
        dy, {"x", x}, gamma, rstd, residual, dx, dgamma, quantized);
    op.rmsNormGrad(*dy, *x, *gamma, *rstd, residual, dx, *dgamma, copies,
                   zero_centered != 0);
    op.moves({dy, x, gamma, rstd, residual, dx, dgamma});
    op.writes(quantized);
  });
}

tert_status tert_rms_norm_grad_recompute(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *gamma, const tert_tensor *rstd,
    const tert_tensor *y_scale, const tert_tensor *residual,
    const tert_tensor *dx, const tert_tensor *dgamma,
    const tert_quantized *quantized, const tert_tensor *y_columnwise,
    int32_t zero_centered) {
  return callOp(context, site, "tert.rms_norm_grad_recompute", [&](OpCall &op) {
    const tert_quantized &copies = checkNormGrad(
        dy, {"x", x}, gamma, rstd, residual, dx, dgamma, quantized);
    Operand input("x", x);
    checkRecomputed(y_scale, y_columnwise, input.size(0), input.size(1), "'x'");
    op.rmsNormGradRecompute(*dy, *x, *gamma, *rstd, *y_scale, residual, dx,
                            *dgamma, copies, *y_columnwise, zero_centered != 0);
    op.moves({dy, x, gamma, rstd, residual, dx, dgamma, y_columnwise});
    op.writes(quantized);
  });
}

tert_status tert_activation(tert_context *context, const tert_site *site,
                            const tert_tensor *x, const tert_tensor *y,
                            const tert_quantized *quantized, int32_t kind) {
  return callOp(context, site, "tert.activation", [&](OpCall &op) {
    Operand input("x", x);
    input.isFloatMatrix();
    checkLike("y", y, input);
    op.activation(*x, y,
                  checkQuantized(quantized, input.size(0), input.size(1)),
                  checkEnum("kind", kind, TERT_TANH));
    op.moves({x, y});
    op.writes(quantized);
  });
}

tert_status tert_activation_grad(tert_context *context, const tert_site *site,
                                 const tert_tensor *dy, const tert_tensor *x,
                                 const tert_tensor *dx,
                                 const tert_quantized *quantized,
                                 const tert_tensor *dbias, int32_t kind) {
  return callOp(context, site, "tert.activation_grad", [&](OpCall &op) {
    Operand input("x", x);
    input.isFloatMatrix();
    Operand("dy", dy).isFloatLike(input);
    checkLike("dx", dx, input);
    if (dbias)
      checkPerColumn("dbias", dbias, input);
    op.activationGrad(*dy, *x, dx,
                      checkQuantized(quantized, input.size(0), input.size(1)),
                      dbias, checkEnum("kind", kind, TERT_TANH));
    op.moves({dy, x, dx, dbias});
    op.writes(quantized);
  });
}

/// Checks gate and up, in `x` or separate, and returns their number of columns.
static int64_t checkGate(const Operand &x, const tert_tensor *up,
                         int32_t up_first) {
  x.isFloatMatrix();
  if (up) {
    Operand("up", up).isFloatLike(x);
    if (up_first != 0)
      invalidArgument(
          "'up_first' is set, which says where up is in 'x', but 'up' "
          "is a tensor of its own");
    return x.size(1);
  }
  if (x.size(1) % 2 != 0)
    x.fail("gate and up side by side, an even number of columns");
  return x.size(1) / 2;
}

tert_status tert_gated_activation(tert_context *context, const tert_site *site,
                                  const tert_tensor *x, const tert_tensor *up,
                                  const tert_tensor *y,
                                  const tert_quantized *quantized, int32_t kind,
                                  int32_t up_first) {
  return callOp(context, site, "tert.gated_activation", [&](OpCall &op) {
    Operand input("x", x);
    int64_t rows = input.size(0), cols = checkGate(input, up, up_first);
    if (y)
      Operand("y", y).isFloat().hasUnitInnerStride().hasShape(
          {rows, cols}, "the shape of the gate");
    op.gatedActivation(*x, up, y, checkQuantized(quantized, rows, cols),
                       checkEnum("kind", kind, TERT_TANH), up_first != 0);
    op.moves({x, up, y});
    op.writes(quantized);
  });
}

tert_status tert_gated_activation_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *up, const tert_tensor *dx,
    const tert_tensor *dup, const tert_quantized *quantized,
    const tert_tensor *dbias, int32_t kind, int32_t up_first) {
  return callOp(context, site, "tert.gated_activation_grad", [&](OpCall &op) {
    Operand input("x", x);
    int64_t rows = input.size(0), cols = checkGate(input, up, up_first);
    Operand("dy", dy).isFloat().hasUnitInnerStride().hasShape(
        {rows, cols}, "the shape of the gate");
    const tert_quantized &copies =
        checkQuantized(quantized, rows, input.size(1));
    if (up) {
      if (!dx || !dup || dbias || copies.rowwise.data ||
          copies.columnwise.data || copies.amax)
        invalidArgument("with a tensor 'up' the outputs are 'dx' and 'dup', "
                        "and no others");
      Operand("dup", dup).isFloatLike(input);
    } else if (dup) {
      invalidArgument("'dup' is given, but 'x' holds gate and up, and 'dx' "
                      "both gradients");
    }
    checkLike("dx", dx, input);
    if (dbias)
      checkPerColumn("dbias", dbias, input);
    op.gatedActivationGrad(*dy, *x, up, dx, dup, copies, dbias,
                           checkEnum("kind", kind, TERT_TANH), up_first != 0);
    op.moves({dy, x, up, dx, dup, dbias});
    op.writes(quantized);
  });
}

tert_status tert_gated_activation_grad_recompute(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *y_scale, const tert_tensor *dx,
    const tert_quantized *quantized, const tert_tensor *dbias,
    const tert_tensor *y_columnwise, int32_t kind, int32_t up_first) {
  return callOp(
      context, site, "tert.gated_activation_grad_recompute", [&](OpCall &op) {
        Operand input("x", x);
        int64_t rows = input.size(0),
                cols = checkGate(input, nullptr, up_first);
        Operand("dy", dy).isFloat().hasUnitInnerStride().hasShape(
            {rows, cols}, "the shape of the gate");
        checkLike("dx", dx, input);
        if (dbias)
          checkPerColumn("dbias", dbias, input);
        checkRecomputed(y_scale, y_columnwise, rows, cols, "the gate");
        op.gatedActivationGradRecompute(
            *dy, *x, *y_scale, dx,
            checkQuantized(quantized, rows, input.size(1)), dbias,
            *y_columnwise, checkEnum("kind", kind, TERT_TANH), up_first != 0);
        op.moves({dy, x, dx, dbias, y_columnwise});
        op.writes(quantized);
      });
}
