// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimizer: what the C functions check before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

tert_status tert_global_norm(tert_context *context, const tert_site *site,
                             int32_t n, const tert_tensor *gradients,
                             const tert_tensor *norm) {
  return callOp(
      context, site, "tert.global_norm",
      [&](Backend &backend, const tert_site &at) {
        if (n < 0)
          invalidArgument("'n' is negative");
        if (n > 0 && !gradients)
          invalidArgument("'gradients' is null");
        for (int32_t i = 0; i < n; ++i) {
          std::string name = "gradients[" + std::to_string(i) + "]";
          Operand(name.c_str(), &gradients[i]).isFloat().hasUnitInnerStride();
        }
        Operand("norm", norm).isScalar();
        backend.globalNorm(at, n, gradients, *norm);
      },
      [&] {
        Work work;
        for (int32_t i = 0; i < n; ++i)
          work.bytes += moves({&gradients[i]}).bytes;
        return work;
      });
}

tert_status tert_clip_coefficient(tert_context *context, const tert_site *site,
                                  const tert_tensor *norm,
                                  const tert_tensor *max_norm,
                                  const tert_tensor *coefficient) {
  return callOp(context, site, "tert.clip_coefficient",
                [&](Backend &backend, const tert_site &at) {
                  Operand("norm", norm).isScalar();
                  Operand("max_norm", max_norm).isScalar();
                  Operand("coefficient", coefficient).isScalar();
                  backend.clipCoefficient(at, *norm, *max_norm, *coefficient);
                });
}

tert_status tert_advance_step(tert_context *context, const tert_site *site,
                              const tert_tensor *coefficient,
                              const tert_tensor *step) {
  return callOp(context, site, "tert.advance_step",
                [&](Backend &backend, const tert_site &at) {
                  Operand("coefficient", coefficient).isScalar();
                  Operand("step", step).hasRank(0).hasDtype(TERT_I64);
                  backend.advanceStep(at, *coefficient, *step);
                });
}

tert_status tert_adamw(tert_context *context, const tert_site *site,
                       const tert_tensor *gradient,
                       const tert_tensor *coefficient, const tert_tensor *lr,
                       const tert_tensor *beta1, const tert_tensor *beta2,
                       const tert_tensor *eps, const tert_tensor *weight_decay,
                       const tert_tensor *step, const tert_tensor *scale,
                       const tert_tensor *param, const tert_tensor *exp_avg,
                       const tert_tensor *exp_avg_sq,
                       const tert_tensor *rowwise,
                       const tert_tensor *columnwise, const tert_tensor *amax,
                       int32_t decay) {
  return callOp(
      context, site, "tert.adamw",
      [&](Backend &backend, const tert_site &at) {
        Operand weights("param", param);
        weights.hasDtype(TERT_F32).isContiguous();
        Operand("gradient", gradient).isFloatLike(weights);
        for (auto [name, tensor] :
             {std::pair("exp_avg", exp_avg), {"exp_avg_sq", exp_avg_sq}})
          Operand(name, tensor)
              .hasDtype(TERT_F32)
              .hasShapeOf(weights)
              .isContiguous();
        for (auto [name, tensor] : {std::pair("coefficient", coefficient),
                                    {"lr", lr},
                                    {"beta1", beta1},
                                    {"beta2", beta2},
                                    {"eps", eps},
                                    {"weight_decay", weight_decay}})
          Operand(name, tensor).isScalar();
        Operand("step", step).hasRank(0).hasDtype(TERT_I64);
        if (rowwise || columnwise || amax) {
          weights.hasRank(2);
          checkQuantized(scale, rowwise, columnwise, amax, weights.size(0),
                         weights.size(1));
        }
        backend.adamw(at, *gradient, *coefficient, *lr, *beta1, *beta2, *eps,
                      *weight_decay, *step, scale, *param, *exp_avg,
                      *exp_avg_sq, rowwise, columnwise, amax, decay != 0);
      },
      [&] {
        return moves({gradient, param, param, exp_avg, exp_avg, exp_avg_sq,
                      exp_avg_sq, rowwise, columnwise});
      });
}
