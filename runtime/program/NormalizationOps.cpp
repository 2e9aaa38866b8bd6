// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalization and activation: checks of the C functions before a backend
// runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

tert_status tert_layer_norm(tert_context *context, const tert_site *site,
                            const tert_tensor *x, const tert_tensor *gamma,
                            const tert_tensor *beta, const tert_tensor *y,
                            const tert_tensor *mean, const tert_tensor *rstd,
                            const tert_quantized *quantized, float eps,
                            int32_t zero_centered) {
  return callOp(
      context, site, "tert.layer_norm",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x);
        input.isFloatMatrix();
        int64_t rows = input.size(0), cols = input.size(1);
        Operand("gamma", gamma).isFloatVector(cols, "the columns of 'x'");
        Operand("beta", beta).isFloatVector(cols, "the columns of 'x'");
        if (y)
          Operand("y", y).isFloatLike(input);
        for (auto [name, tensor] : {std::pair("mean", mean), {"rstd", rstd}})
          Operand(name, tensor)
              .hasDtype(TERT_F32)
              .isFloatVector(rows, "the rows of 'x'");
        backend.layerNorm(at, *x, *gamma, *beta, y, *mean, *rstd,
                          checkQuantized(quantized, rows, cols), eps,
                          zero_centered != 0);
      },
      [&] {
        return moves({x, gamma, beta, y, mean, rstd}) + writes(quantized);
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
  return callOp(
      context, site, "tert.layer_norm_grad",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x);
        input.isFloatMatrix();
        int64_t rows = input.size(0), cols = input.size(1);
        Operand("dy", dy).isFloatLike(input);
        for (auto [name, tensor] :
             {std::pair("dx", dx), {"residual", residual}})
          if (tensor)
            Operand(name, tensor).isFloatLike(input);
        for (auto [name, tensor] :
             {std::pair("gamma", gamma), {"dgamma", dgamma}, {"dbeta", dbeta}})
          Operand(name, tensor).isFloatVector(cols, "the columns of 'x'");
        if (dbias)
          Operand("dbias", dbias).isFloatVector(cols, "the columns of 'x'");
        for (auto [name, tensor] : {std::pair("mean", mean), {"rstd", rstd}})
          Operand(name, tensor)
              .hasDtype(TERT_F32)
              .isFloatVector(rows, "the rows of 'x'");
        backend.layerNormGrad(
            at, *dy, *x, *gamma, *mean, *rstd, residual, dx, *dgamma, *dbeta,
            checkQuantized(quantized, rows, cols), dbias, zero_centered != 0);
      },
      [&] {
        return moves({dy, x, gamma, mean, rstd, residual, dx, dgamma, dbeta,
                      dbias}) +
               writes(quantized);
      });
}

tert_status tert_rms_norm(tert_context *context, const tert_site *site,
                          const tert_tensor *x, const tert_tensor *gamma,
                          const tert_tensor *y, const tert_tensor *rstd,
                          const tert_quantized *quantized, float eps,
                          int32_t zero_centered) {
  return callOp(
      context, site, "tert.rms_norm",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x);
        input.isFloatMatrix();
        int64_t rows = input.size(0), cols = input.size(1);
        Operand("gamma", gamma).isFloatVector(cols, "the columns of 'x'");
        if (y)
          Operand("y", y).isFloatLike(input);
        Operand("rstd", rstd)
            .hasDtype(TERT_F32)
            .isFloatVector(rows, "the rows of 'x'");
        backend.rmsNorm(at, *x, *gamma, y, *rstd,
                        checkQuantized(quantized, rows, cols), eps,
                        zero_centered != 0);
      },
      [&] { return moves({x, gamma, y, rstd}) + writes(quantized); });
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

/// Checks shared by both gradients; returns *quantized, or an empty struct.
static const tert_quantized &
checkRmsNormGrad(const tert_tensor *dy, const tert_tensor *x,
                 const tert_tensor *gamma, const tert_tensor *rstd,
                 const tert_tensor *residual, const tert_tensor *dx,
                 const tert_tensor *dgamma, const tert_quantized *quantized) {
  Operand input("x", x);
  input.isFloatMatrix();
  int64_t rows = input.size(0), cols = input.size(1);
  Operand("dy", dy).isFloatLike(input);
  for (auto [name, tensor] : {std::pair("dx", dx), {"residual", residual}})
    if (tensor)
      Operand(name, tensor).isFloatLike(input);
  for (auto [name, tensor] : {std::pair("gamma", gamma), {"dgamma", dgamma}})
    Operand(name, tensor).isFloatVector(cols, "the columns of 'x'");
  Operand("rstd", rstd)
      .hasDtype(TERT_F32)
      .isFloatVector(rows, "the rows of 'x'");
  return checkQuantized(quantized, rows, cols);
}

tert_status tert_rms_norm_grad(tert_context *context, const tert_site *site,
                               const tert_tensor *dy, const tert_tensor *x,
                               const tert_tensor *gamma,
                               const tert_tensor *rstd,
                               const tert_tensor *residual,
                               const tert_tensor *dx, const tert_tensor *dgamma,
                               const tert_quantized *quantized,
                               int32_t zero_centered) {
  return callOp(
      context, site, "tert.rms_norm_grad",
      [&](Backend &backend, const tert_site &at) {
        const tert_quantized &copies = checkRmsNormGrad(
            dy, x, gamma, rstd, residual, dx, dgamma, quantized);
        backend.rmsNormGrad(at, *dy, *x, *gamma, *rstd, residual, dx, *dgamma,
                            copies, zero_centered != 0);
      },
      [&] {
        return moves({dy, x, gamma, rstd, residual, dx, dgamma}) +
               writes(quantized);
      });
}

tert_status tert_rms_norm_grad_recompute(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *gamma, const tert_tensor *rstd,
    const tert_tensor *y_scale, const tert_tensor *residual,
    const tert_tensor *dx, const tert_tensor *dgamma,
    const tert_quantized *quantized, const tert_tensor *y_columnwise,
    int32_t zero_centered) {
  return callOp(
      context, site, "tert.rms_norm_grad_recompute",
      [&](Backend &backend, const tert_site &at) {
        const tert_quantized &copies = checkRmsNormGrad(
            dy, x, gamma, rstd, residual, dx, dgamma, quantized);
        Operand input("x", x);
        checkRecomputed(y_scale, y_columnwise, input.size(0), input.size(1),
                        "'x'");
        backend.rmsNormGradRecompute(at, *dy, *x, *gamma, *rstd, *y_scale,
                                     residual, dx, *dgamma, copies,
                                     *y_columnwise, zero_centered != 0);
      },
      [&] {
        return moves({dy, x, gamma, rstd, residual, dx, dgamma, y_columnwise}) +
               writes(quantized);
      });
}

tert_status tert_activation(tert_context *context, const tert_site *site,
                            const tert_tensor *x, const tert_tensor *y,
                            const tert_quantized *quantized, int32_t kind) {
  return callOp(
      context, site, "tert.activation",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x);
        input.isFloatMatrix();
        if (y)
          Operand("y", y).isFloatLike(input);
        checkEnum("kind", kind, TERT_TANH + 1);
        backend.activation(
            at, *x, y, checkQuantized(quantized, input.size(0), input.size(1)),
            static_cast<tert_activation_kind>(kind));
      },
      [&] { return moves({x, y}) + writes(quantized); });
}

tert_status tert_activation_grad(tert_context *context, const tert_site *site,
                                 const tert_tensor *dy, const tert_tensor *x,
                                 const tert_tensor *dx,
                                 const tert_quantized *quantized,
                                 const tert_tensor *dbias, int32_t kind) {
  return callOp(
      context, site, "tert.activation_grad",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x);
        input.isFloatMatrix();
        Operand("dy", dy).isFloatLike(input);
        if (dx)
          Operand("dx", dx).isFloatLike(input);
        if (dbias)
          Operand("dbias", dbias)
              .isFloatVector(input.size(1), "the columns of 'x'");
        checkEnum("kind", kind, TERT_TANH + 1);
        backend.activationGrad(
            at, *dy, *x, dx,
            checkQuantized(quantized, input.size(0), input.size(1)), dbias,
            static_cast<tert_activation_kind>(kind));
      },
      [&] { return moves({dy, x, dx, dbias}) + writes(quantized); });
}

/// Checks gate and up, in `x` or separate, and returns their number of columns.
static int64_t checkGate(const Operand &x, const tert_tensor *up,
                         int32_t up_first) {
  x.isFloatMatrix();
  if (up) {
    Operand("up", up).isFloatLike(x);
    if (up_first != 0)
      throw Error(TERT_INVALID_ARGUMENT,
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
  return callOp(
      context, site, "tert.gated_activation",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x);
        int64_t rows = input.size(0), cols = checkGate(input, up, up_first);
        if (y)
          Operand("y", y).isFloat().hasUnitInnerStride().hasShape(
              {rows, cols}, "the shape of the gate");
        checkEnum("kind", kind, TERT_TANH + 1);
        backend.gatedActivation(
            at, *x, up, y, checkQuantized(quantized, rows, cols),
            static_cast<tert_activation_kind>(kind), up_first != 0);
      },
      [&] { return moves({x, up, y}) + writes(quantized); });
}

tert_status tert_gated_activation_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *up, const tert_tensor *dx,
    const tert_tensor *dup, const tert_quantized *quantized,
    const tert_tensor *dbias, int32_t kind, int32_t up_first) {
  return callOp(
      context, site, "tert.gated_activation_grad",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x);
        int64_t rows = input.size(0), cols = checkGate(input, up, up_first);
        Operand("dy", dy).isFloat().hasUnitInnerStride().hasShape(
            {rows, cols}, "the shape of the gate");
        const tert_quantized &copies =
            checkQuantized(quantized, rows, input.size(1));
        if (up) {
          if (!dx || !dup || dbias || copies.rowwise.data ||
              copies.columnwise.data || copies.amax)
            throw Error(TERT_INVALID_ARGUMENT,
                        "with a tensor 'up' the outputs are 'dx' and 'dup', "
                        "and no others");
          Operand("dup", dup).isFloatLike(input);
        } else if (dup) {
          throw Error(TERT_INVALID_ARGUMENT,
                      "'dup' is given, but 'x' holds gate and up, and 'dx' "
                      "both gradients");
        }
        if (dx)
          Operand("dx", dx).isFloatLike(input);
        if (dbias)
          Operand("dbias", dbias)
              .isFloatVector(input.size(1), "the columns of 'x'");
        checkEnum("kind", kind, TERT_TANH + 1);
        backend.gatedActivationGrad(at, *dy, *x, up, dx, dup, copies, dbias,
                                    static_cast<tert_activation_kind>(kind),
                                    up_first != 0);
      },
      [&] { return moves({dy, x, up, dx, dup, dbias}) + writes(quantized); });
}

tert_status tert_gated_activation_grad_recompute(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *y_scale, const tert_tensor *dx,
    const tert_quantized *quantized, const tert_tensor *dbias,
    const tert_tensor *y_columnwise, int32_t kind, int32_t up_first) {
  return callOp(
      context, site, "tert.gated_activation_grad_recompute",
      [&](Backend &backend, const tert_site &at) {
        Operand input("x", x);
        int64_t rows = input.size(0),
                cols = checkGate(input, nullptr, up_first);
        Operand("dy", dy).isFloat().hasUnitInnerStride().hasShape(
            {rows, cols}, "the shape of the gate");
        if (dx)
          Operand("dx", dx).isFloatLike(input);
        if (dbias)
          Operand("dbias", dbias)
              .isFloatVector(input.size(1), "the columns of 'x'");
        checkRecomputed(y_scale, y_columnwise, rows, cols, "the gate");
        checkEnum("kind", kind, TERT_TANH + 1);
        backend.gatedActivationGradRecompute(
            at, *dy, *x, *y_scale, dx,
            checkQuantized(quantized, rows, input.size(1)), dbias,
            *y_columnwise, static_cast<tert_activation_kind>(kind),
            up_first != 0);
      },
      [&] {
        return moves({dy, x, dx, dbias, y_columnwise}) + writes(quantized);
      });
}
