// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of parameters: what the C functions check before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

#include <initializer_list>
#include <utility>

using namespace tert;

namespace {

using NamedTensor = std::pair<const char *, const tert_tensor *>;

/// What optimizers call the states of a parameter; null behind the last one.
struct StateNames {
  const char *names[2];
};
constexpr StateNames adamwStates = {{"exp_avg", "exp_avg_sq"}};
constexpr StateNames sgdStates = {{"momentum_buffer", nullptr}};

void checkScalars(std::initializer_list<NamedTensor> scalars,
                  const tert_tensor *step) {
  for (auto [name, tensor] : scalars)
    Operand(name, tensor).isScalar();
  Operand("step", step).hasRank(0).hasDtype(TERT_I64);
}

void checkUpdate(const ParameterUpdate &parameter, const StateNames &states) {
  Operand weights("param", parameter.param);
  weights.hasDtype(TERT_F32).isContiguous();
  Operand("gradient", parameter.gradient).isFloatLike(weights);
  for (int i = 0; i < 2; ++i)
    if (states.names[i])
      Operand(states.names[i], parameter.states[i])
          .hasDtype(TERT_F32)
          .hasShapeOf(weights)
          .isContiguous();
  if (wantsAny(parameter.quantized)) {
    weights.hasRank(2);
    checkQuantized(&parameter.quantized, weights.size(0), weights.size(1));
  }
}

/// Gradients and copies once, parameters and states read and written.
Work workOf(const ParameterUpdate &parameter) {
  Work work = moves({parameter.gradient, parameter.param, parameter.param}) +
              writes(&parameter.quantized);
  for (const tert_tensor *state : parameter.states)
    if (state)
      work = work + moves({state, state});
  return work;
}

/// A list of one tensor for each parameter.
struct TensorList {
  const char *name;
  int32_t count;
  const tert_tensor *tensors;
};

/// Gathers and checks the parameters of an update of several.
std::vector<ParameterUpdate>
gatherUpdates(const TensorList &gradients, const TensorList &params,
              const TensorList (&states)[2], int32_t numQuantized,
              const tert_quantized *quantized, const int32_t *decays,
              const StateNames &names) {
  const int32_t count = gradients.count;
  if (count < 0)
    invalidArgument("'num_gradients' is negative");
  auto checkCount = [&](const char *name, int32_t entries) {
    if (entries != count)
      invalidArgument("'" + std::string(name) + "' has " +
                      std::to_string(entries) + " entries for " +
                      std::to_string(count) + " gradients");
  };
  checkCount(params.name, params.count);
  for (int i = 0; i < 2; ++i)
    if (names.names[i])
      checkCount(states[i].name, states[i].count);
  checkCount("quantized", numQuantized);
  bool isNull = !gradients.tensors || !params.tensors || !quantized || !decays;
  for (int i = 0; i < 2; ++i)
    isNull |= names.names[i] && !states[i].tensors;
  if (count > 0 && isNull)
    invalidArgument("a list of parameters is null");
  std::vector<ParameterUpdate> parameters;
  for (int32_t i = 0; i < count; ++i) {
    auto state = [&](int which) {
      return names.names[which] ? &states[which].tensors[i] : nullptr;
    };
    parameters.push_back({&gradients.tensors[i],
                          &params.tensors[i],
                          {state(0), state(1)},
                          quantized[i],
                          decays[i] != 0});
    try {
      checkUpdate(parameters.back(), names);
    } catch (const Error &error) {
      invalidArgument("parameter " + std::to_string(i) + ": " + error.what());
    }
  }
  return parameters;
}

Work workOf(const std::vector<ParameterUpdate> &parameters) {
  Work work;
  for (const ParameterUpdate &parameter : parameters)
    work = work + workOf(parameter);
  return work;
}

/// Checks the scalars of a step of AdamW.
AdamwScalars adamwScalars(const tert_tensor *coefficient, const tert_tensor *lr,
                          const tert_tensor *beta1, const tert_tensor *beta2,
                          const tert_tensor *eps,
                          const tert_tensor *weightDecay,
                          const tert_tensor *step) {
  checkScalars({{"coefficient", coefficient},
                {"lr", lr},
                {"beta1", beta1},
                {"beta2", beta2},
                {"eps", eps},
                {"weight_decay", weightDecay}},
               step);
  return {*coefficient, *lr, *beta1, *beta2, *eps, *weightDecay, *step};
}

/// Checks the scalars of a step of gradient descent. What its parameters keep
/// is in `states`.
SgdScalars sgdScalars(const tert_tensor *coefficient, const tert_tensor *lr,
                      const tert_tensor *momentum, const tert_tensor *dampening,
                      const tert_tensor *weightDecay, const tert_tensor *step,
                      bool nesterov) {
  checkScalars(
      {{"coefficient", coefficient}, {"lr", lr}, {"weight_decay", weightDecay}},
      step);
  if (momentum)
    Operand("momentum", momentum).isScalar();
  if (dampening)
    Operand("dampening", dampening).isScalar();
  if (!momentum && (dampening || nesterov))
    invalidArgument(std::string(dampening ? "'dampening'" : "'nesterov'") +
                    " goes with a 'momentum' only");
  return {*coefficient, *lr,   momentum, dampening,
          *weightDecay, *step, nesterov};
}

} // namespace

tert_status tert_adamw(tert_context *context, const tert_site *site,
                       int32_t num_gradients, const tert_tensor *gradients,
                       const tert_tensor *coefficient, const tert_tensor *lr,
                       const tert_tensor *beta1, const tert_tensor *beta2,
                       const tert_tensor *eps, const tert_tensor *weight_decay,
                       const tert_tensor *step, int32_t num_params,
                       const tert_tensor *params, int32_t num_exp_avgs,
                       const tert_tensor *exp_avgs, int32_t num_exp_avg_sqs,
                       const tert_tensor *exp_avg_sqs, int32_t num_quantized,
                       const tert_quantized *quantized, const int32_t *decays) {
  std::vector<ParameterUpdate> parameters;
  return callOp(
      context, site, "tert.adamw",
      [&](Backend &backend, const tert_site &at) {
        parameters =
            gatherUpdates({"gradients", num_gradients, gradients},
                          {"params", num_params, params},
                          {{"exp_avgs", num_exp_avgs, exp_avgs},
                           {"exp_avg_sqs", num_exp_avg_sqs, exp_avg_sqs}},
                          num_quantized, quantized, decays, adamwStates);
        backend.adamw(at,
                      adamwScalars(coefficient, lr, beta1, beta2, eps,
                                   weight_decay, step),
                      parameters);
      },
      [&] { return workOf(parameters); });
}

tert_status tert_sgd(tert_context *context, const tert_site *site,
                     int32_t num_gradients, const tert_tensor *gradients,
                     const tert_tensor *coefficient, const tert_tensor *lr,
                     const tert_tensor *momentum, const tert_tensor *dampening,
                     const tert_tensor *weight_decay, const tert_tensor *step,
                     int32_t num_params, const tert_tensor *params,
                     int32_t num_momentum_buffers,
                     const tert_tensor *momentum_buffers, int32_t num_quantized,
                     const tert_quantized *quantized, int32_t nesterov,
                     const int32_t *decays) {
  std::vector<ParameterUpdate> parameters;
  return callOp(
      context, site, "tert.sgd",
      [&](Backend &backend, const tert_site &at) {
        if (!momentum && num_momentum_buffers != 0)
          invalidArgument("'momentum_buffers' go with a 'momentum' only");
        parameters = gatherUpdates(
            {"gradients", num_gradients, gradients},
            {"params", num_params, params},
            {{"momentum_buffers", num_momentum_buffers, momentum_buffers}, {}},
            num_quantized, quantized, decays,
            momentum ? sgdStates : StateNames{});
        backend.sgd(at,
                    sgdScalars(coefficient, lr, momentum, dampening,
                               weight_decay, step, nesterov != 0),
                    parameters);
      },
      [&] { return workOf(parameters); });
}
