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
  if (parameter.rowwise || parameter.columnwise || parameter.amax) {
    weights.hasRank(2);
    checkQuantized(parameter.scale, parameter.rowwise, parameter.columnwise,
                   parameter.amax, weights.size(0), weights.size(1));
  }
}

/// Gradients and copies once, parameters and moments read and written.
Work workOf(const tert_tensor *gradient, const tert_tensor *param,
            const tert_tensor *expAvg, const tert_tensor *expAvgSq,
            const tert_tensor *rowwise, const tert_tensor *columnwise) {
  return moves({gradient, param, param, expAvg, expAvg, expAvgSq, expAvgSq,
                rowwise, columnwise});
}

/// A list of the parameters' tensors, taken from the front.
class TensorList {
public:
  TensorList(const char *name, int32_t n, const tert_tensor *tensors)
      : name(name), tensors(tensors), left(n) {
    if (n < 0)
      invalidArgument("the number of '" + std::string(name) + "' is negative");
    if (n > 0 && !tensors)
      invalidArgument("'" + std::string(name) + "' is null");
  }

  const tert_tensor *take() {
    if (left == 0)
      invalidArgument("'" + std::string(name) +
                      "' has fewer tensors than 'parts' asks for");
    --left;
    return tensors++;
  }
  const tert_tensor *takeIf(bool wanted) { return wanted ? take() : nullptr; }
  void finish() const {
    if (left > 0)
      invalidArgument("'" + std::string(name) +
                      "' has more tensors than 'parts' asks for");
  }

private:
  const char *name;
  const tert_tensor *tensors;
  int32_t left;
};

} // namespace

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
        AdamwParameter parameter = {gradient,   param, exp_avg,
                                    exp_avg_sq, scale, rowwise,
                                    columnwise, amax,  decay != 0};
        checkParameter(parameter);
        backend.adamw(at,
                      adamwScalars(coefficient, lr, beta1, beta2, eps,
                                   weight_decay, step),
                      {parameter});
      },
      [&] {
        return workOf(gradient, param, exp_avg, exp_avg_sq, rowwise,
                      columnwise);
      });
}

tert_status tert_multi_adamw(
    tert_context *context, const tert_site *site, int32_t n,
    const tert_tensor *gradients, const tert_tensor *coefficient,
    const tert_tensor *lr, const tert_tensor *beta1, const tert_tensor *beta2,
    const tert_tensor *eps, const tert_tensor *weight_decay,
    const tert_tensor *step, int32_t num_scales, const tert_tensor *scales,
    int32_t num_params, const tert_tensor *params, int32_t num_exp_avgs,
    const tert_tensor *exp_avgs, int32_t num_exp_avg_sqs,
    const tert_tensor *exp_avg_sqs, int32_t num_rowwise,
    const tert_tensor *rowwise, int32_t num_columnwise,
    const tert_tensor *columnwise, int32_t num_amaxes,
    const tert_tensor *amaxes, const int32_t *parts) {
  return callOp(
      context, site, "tert.multi_adamw",
      [&](Backend &backend, const tert_site &at) {
        TensorList gradientList("gradients", n, gradients);
        TensorList scaleList("scales", num_scales, scales);
        TensorList paramList("params", num_params, params);
        TensorList expAvgList("exp_avgs", num_exp_avgs, exp_avgs);
        TensorList expAvgSqList("exp_avg_sqs", num_exp_avg_sqs, exp_avg_sqs);
        TensorList rowwiseList("rowwise", num_rowwise, rowwise);
        TensorList columnwiseList("columnwise", num_columnwise, columnwise);
        TensorList amaxList("amaxes", num_amaxes, amaxes);
        if (n > 0 && !parts)
          invalidArgument("'parts' is null");
        std::vector<AdamwParameter> parameters;
        for (int32_t i = 0; i < n; ++i) {
          const int32_t wanted = parts[i];
          AdamwParameter parameter = {};
          parameter.gradient = gradientList.take();
          parameter.param = paramList.take();
          parameter.expAvg = expAvgList.take();
          parameter.expAvgSq = expAvgSqList.take();
          parameter.scale = scaleList.takeIf(
              wanted & (TERT_ADAMW_ROWWISE | TERT_ADAMW_COLUMNWISE));
          parameter.rowwise = rowwiseList.takeIf(wanted & TERT_ADAMW_ROWWISE);
          parameter.columnwise =
              columnwiseList.takeIf(wanted & TERT_ADAMW_COLUMNWISE);
          parameter.amax = amaxList.takeIf(wanted & TERT_ADAMW_AMAX);
          parameter.decay = wanted & TERT_ADAMW_DECAY;
          try {
            checkParameter(parameter);
          } catch (const Error &error) {
            invalidArgument("parameter " + std::to_string(i) + ": " +
                            error.what());
          }
          parameters.push_back(parameter);
        }
        for (const TensorList *list :
             {&scaleList, &paramList, &expAvgList, &expAvgSqList, &rowwiseList,
              &columnwiseList, &amaxList})
          list->finish();
        backend.adamw(at,
                      adamwScalars(coefficient, lr, beta1, beta2, eps,
                                   weight_decay, step),
                      parameters);
      },
      [&] {
        Work work;
        for (int32_t i = 0; i < n; ++i)
          work.bytes += workOf(&gradients[i], &params[i], &exp_avgs[i],
                               &exp_avg_sqs[i], nullptr, nullptr)
                            .bytes;
        for (int32_t i = 0; i < num_rowwise; ++i)
          work.bytes += moves({&rowwise[i]}).bytes;
        for (int32_t i = 0; i < num_columnwise; ++i)
          work.bytes += moves({&columnwise[i]}).bytes;
        return work;
      });
}
