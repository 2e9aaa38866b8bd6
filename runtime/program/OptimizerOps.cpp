// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimizer: what the C functions check before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

tert_status tert_global_norm(tert_context *context, const tert_site *site,
                             int32_t num_gradients,
                             const tert_tensor *gradients,
                             const tert_tensor *norm) {
  return callOp(
      context, site, "tert.global_norm",
      [&](Backend &backend, const tert_site &at) {
        if (num_gradients < 0)
          invalidArgument("'num_gradients' is negative");
        if (num_gradients > 0 && !gradients)
          invalidArgument("'gradients' is null");
        for (int32_t i = 0; i < num_gradients; ++i) {
          std::string name = "gradients[" + std::to_string(i) + "]";
          Operand(name.c_str(), &gradients[i]).isFloat().hasUnitInnerStride();
        }
        Operand("norm", norm).isScalar();
        backend.globalNorm(at, num_gradients, gradients, *norm);
      },
      [&] {
        Work work;
        for (int32_t i = 0; i < num_gradients; ++i)
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

namespace {

/// Checks the scalars of a step.
AdamwScalars adamwScalars(const tert_tensor *coefficient, const tert_tensor *lr,
                          const tert_tensor *beta1, const tert_tensor *beta2,
                          const tert_tensor *eps,
                          const tert_tensor *weightDecay,
                          const tert_tensor *step) {
  for (auto [name, tensor] : {std::pair("coefficient", coefficient),
                              {"lr", lr},
                              {"beta1", beta1},
                              {"beta2", beta2},
                              {"eps", eps},
                              {"weight_decay", weightDecay}})
    Operand(name, tensor).isScalar();
  Operand("step", step).hasRank(0).hasDtype(TERT_I64);
  return {*coefficient, *lr, *beta1, *beta2, *eps, *weightDecay, *step};
}

void checkParameter(const AdamwParameter &parameter) {
  Operand weights("param", parameter.param);
  weights.hasDtype(TERT_F32).isContiguous();
  Operand("gradient", parameter.gradient).isFloatLike(weights);
  for (auto [name, tensor] : {std::pair("exp_avg", parameter.expAvg),
                              {"exp_avg_sq", parameter.expAvgSq}})
    Operand(name, tensor).hasDtype(TERT_F32).hasShapeOf(weights).isContiguous();
  if (wantsAny(parameter.quantized)) {
    weights.hasRank(2);
    checkQuantized(&parameter.quantized, weights.size(0), weights.size(1));
  }
}

/// Gradients and copies once, parameters and moments read and written.
Work workOf(const AdamwParameter &parameter) {
  const auto &[gradient, param, expAvg, expAvgSq, quantized, decay] = parameter;
  return moves({gradient, param, param, expAvg, expAvg, expAvgSq, expAvgSq}) +
         writes(&quantized);
}

} // namespace

tert_status tert_adamw(tert_context *context, const tert_site *site,
                       const tert_tensor *gradient,
                       const tert_tensor *coefficient, const tert_tensor *lr,
                       const tert_tensor *beta1, const tert_tensor *beta2,
                       const tert_tensor *eps, const tert_tensor *weight_decay,
                       const tert_tensor *step, const tert_tensor *param,
                       const tert_tensor *exp_avg,
                       const tert_tensor *exp_avg_sq,
                       const tert_quantized *quantized, int32_t decay) {
  AdamwParameter parameter = {gradient,
                              param,
                              exp_avg,
                              exp_avg_sq,
                              quantized ? *quantized : tert_quantized(),
                              decay != 0};
  return callOp(
      context, site, "tert.adamw",
      [&](Backend &backend, const tert_site &at) {
        checkParameter(parameter);
        backend.adamw(at,
                      adamwScalars(coefficient, lr, beta1, beta2, eps,
                                   weight_decay, step),
                      {parameter});
      },
      [&] { return workOf(parameter); });
}

tert_status tert_multi_adamw(
    tert_context *context, const tert_site *site, int32_t num_gradients,
    const tert_tensor *gradients, const tert_tensor *coefficient,
    const tert_tensor *lr, const tert_tensor *beta1, const tert_tensor *beta2,
    const tert_tensor *eps, const tert_tensor *weight_decay,
    const tert_tensor *step, int32_t num_params, const tert_tensor *params,
    int32_t num_exp_avgs, const tert_tensor *exp_avgs, int32_t num_exp_avg_sqs,
    const tert_tensor *exp_avg_sqs, int32_t num_quantized,
    const tert_quantized *quantized, const int32_t *decays) {
  std::vector<AdamwParameter> parameters;
  return callOp(
      context, site, "tert.multi_adamw",
      [&](Backend &backend, const tert_site &at) {
        if (num_gradients < 0)
          invalidArgument("'num_gradients' is negative");
        for (auto [name, count] : {std::pair("params", num_params),
                                   {"exp_avgs", num_exp_avgs},
                                   {"exp_avg_sqs", num_exp_avg_sqs},
                                   {"quantized", num_quantized}})
          if (count != num_gradients)
            invalidArgument("'" + std::string(name) + "' has " +
                            std::to_string(count) + " entries for " +
                            std::to_string(num_gradients) + " gradients");
        if (num_gradients > 0 && (!gradients || !params || !exp_avgs ||
                                  !exp_avg_sqs || !quantized || !decays))
          invalidArgument("a list of parameters is null");
        for (int32_t i = 0; i < num_gradients; ++i) {
          parameters.push_back({&gradients[i], &params[i], &exp_avgs[i],
                                &exp_avg_sqs[i], quantized[i], decays[i] != 0});
          try {
            checkParameter(parameters.back());
          } catch (const Error &error) {
            invalidArgument("parameter " + std::to_string(i) + ": " +
                            error.what());
          }
        }
        backend.adamw(at,
                      adamwScalars(coefficient, lr, beta1, beta2, eps,
                                   weight_decay, step),
                      parameters);
      },
      [&] {
        Work work;
        for (const AdamwParameter &parameter : parameters)
          work = work + workOf(parameter);
        return work;
      });
}
